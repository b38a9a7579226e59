// Merges layers of settings: a job's own, its group's, the defaults, the project's. Pure.
#pragma once

#include <initializer_list>
#include <string_view>

#include "config/read/values/substitute.hpp"
#include "config/settings.hpp"

namespace heddle::config {

// Removes alternatives from `lower`: `url` above hides `urls` below.
void hide_alternatives(Settings& lower, const Settings& upper);

// Reports keys that are valid for a single job only.
void refuse_keys(Settings& settings, std::initializer_list<std::string_view> keys);

// [limits] of the project is the lowest layer of every job.
Settings job_limits(const Settings& project);

Vars vars_of(const Settings& settings);

}  // namespace heddle::config
