// Copies settings into Job and Project: one table row per key. Pure.
#pragma once

#include <string_view>

#include "config/settings.hpp"
#include "model/job/job.hpp"

namespace heddle::config {

// A job with all defaults of the key table.
Job job_of_presets();
void bind_job(const Settings& settings, Job& job);

Project project_of_presets();
// Also [hosts] and [channels].
void bind_project(const Settings& settings, Project& project);

// "hosts.example.com.delay" after "hosts.": the name may contain dots; the length of the key and of
// a map's entry is known.
std::string_view name_in_path(std::string_view prefix, std::string_view path,
                              const Setting& setting);

// Whether a row binds this key ("limits.body", "headers").
bool is_job_key_bound(std::string_view path);
bool is_project_key_bound(std::string_view path);

}  // namespace heddle::config
