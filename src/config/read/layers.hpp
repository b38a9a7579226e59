// What settings of one layer mean for those of another: a job's own, its group's, the defaults, the
// project's. Pure.
#pragma once

#include <initializer_list>
#include <string_view>

#include "config/read/substitute.hpp"
#include "config/settings.hpp"

namespace heddle::config {

// What the upper layer gives one way, the lower one must not give another way.
void hide_alternatives(Settings& lower, const Settings& upper);

// Keys that only make sense for one job.
void refuse_keys(Settings& settings, std::initializer_list<std::string_view> keys);

// [limits] of the project is the lowest layer of every job.
Settings job_limits(const Settings& project);

Vars vars_of(const Settings& settings);

}  // namespace heddle::config
