// Runs a worker process: `heddle` as its coordinator starts it, never a user.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/environment.hpp"
#include "ipc/handshake.hpp"

namespace heddle::app {

// The first argument of a worker; the project folder, protocol version, build and data folder
// follow.
inline constexpr const char* kWorkerArgument = "worker-process";

// The descriptor with the text of heddle.toml that the coordinator has applied.
inline constexpr int kSettingsDescriptor = 5;

struct WorkerArguments {
  std::filesystem::path project_dir;
  std::filesystem::path data_dir;  // the coordinator's, even if the settings have changed since
  ipc::Handshake coordinator;
};
std::vector<std::string> to_arguments(
    const WorkerArguments& arguments);  // without the program name
WorkerArguments read_arguments(const std::vector<std::string>& arguments);

// Runs until the coordinator drains it or exits. Returns the exit status.
int run_worker(const WorkerArguments& arguments, const config::Environment& environment);

}  // namespace heddle::app
