// Runs `heddle up`: the coordinator of a project with its workers, until shutdown.
#pragma once

#include <functional>

#include "base/log/log.hpp"
#include "base/result.hpp"
#include "cli/command_backend.hpp"
#include "config/environment.hpp"
#include "model/job/job.hpp"

namespace heddle::app {

// Returns after shutdown, or `conflict` when another heddle process holds the project. Calls
// `on_settings` whenever it applies changed settings.
Status run_daemon(const Project& project, const cli::UpOptions& options,
                  const config::Environment& environment, Log& log,
                  std::function<void(const Project&)> on_settings);

}  // namespace heddle::app
