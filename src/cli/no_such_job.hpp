// Explains that no job has the name that the user typed: near names, and files that may be the
// reason. Pure.
#pragma once

#include <string>
#include <vector>

#include "config/load_project.hpp"

namespace heddle::cli {

// `known`: the names that could have been typed, in order.
std::string no_such_job(const std::string& name, const std::vector<std::string>& known,
                        const config::Loaded& loaded);

// The first error of an invalid job, with file and line.
std::string first_error(const config::LoadedJob& job);

// What keeps jobs from being listed: files that look like those of a job but are not read, and
// broken files of jobs without a name.
std::vector<std::string> unlisted_jobs(const config::Loaded& loaded);

}  // namespace heddle::cli
