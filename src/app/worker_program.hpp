// A worker process: `heddle` started by its coordinator, never by a person.
#pragma once

#include <filesystem>

#include "config/environment.hpp"

namespace heddle::app {

// What a coordinator gives as the first argument; the project's folder follows.
inline constexpr const char* kWorkerArgument = "worker-process";

// Works until the coordinator wants it to leave or is gone. Returns the exit status.
int run_worker(const std::filesystem::path& project_dir, const config::Environment& environment);

}  // namespace heddle::app
