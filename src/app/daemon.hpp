// `heddle up`: the coordinator of a project with its workers, until it is told to leave.
#pragma once

#include <filesystem>
#include <functional>

#include "base/log.hpp"
#include "base/result.hpp"
#include "cli/work.hpp"
#include "config/environment.hpp"
#include "model/job.hpp"

namespace heddle::app {

// data/heddle.sock
std::filesystem::path control_socket(const Project& project);

// Returns when it was told to leave and has left. `conflict` when another heddle works on the
// project.
// `on_settings` is called whenever other settings than those of `project` are taken up.
Status run_daemon(const Project& project, const cli::UpOptions& options,
                  const config::Environment& environment, Log& log,
                  std::function<void(const Project&)> on_settings);

}  // namespace heddle::app
