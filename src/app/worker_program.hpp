// A worker process: `heddle` started by its coordinator, never by a person.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/environment.hpp"
#include "ipc/version.hpp"

namespace heddle::app {

// What a coordinator gives as the first argument; the project's folder, its protocol, its build and
// the folder of its data follow.
inline constexpr const char* kWorkerArgument = "worker-process";

// Where a worker finds what heddle.toml said when its coordinator read it.
inline constexpr int kSettingsDescriptor = 5;

struct WorkerOrder {
  std::filesystem::path project_dir;
  std::filesystem::path data_dir;  // its coordinator's, whatever the settings say meanwhile
  ipc::Hello coordinator;
};
std::vector<std::string> to_arguments(const WorkerOrder& order);  // after the program
WorkerOrder read_arguments(const std::vector<std::string>& arguments);

// Works until the coordinator wants it to leave or is gone. Returns the exit status.
int run_worker(const WorkerOrder& order, const config::Environment& environment);

}  // namespace heddle::app
