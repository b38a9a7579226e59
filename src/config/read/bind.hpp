// Settings into the model: one named row per key. Pure.
#pragma once

#include <string_view>

#include "config/settings.hpp"
#include "model/job.hpp"

namespace heddle::config {

// A job with all presets of the key table.
Job job_of_presets();
void bind_job(const Settings& settings, Job& job);

Project project_of_presets();
// Also [hosts].
void bind_project(const Settings& settings, Project& project);

// Whether a row takes up this key ("limits.body", "headers").
bool is_job_key_bound(std::string_view path);
bool is_project_key_bound(std::string_view path);

}  // namespace heddle::config
