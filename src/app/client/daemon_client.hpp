// Calls the daemon of a project over its control socket. Blocks.
#pragma once

#include <memory>

#include "base/result.hpp"
#include "cli/command_backend.hpp"
#include "control/client.hpp"
#include "model/job/job.hpp"

namespace heddle::app {

// Returns `not_found`, with advice, when no daemon runs.
Result<std::unique_ptr<control::ControlClient>> connect_to_daemon(const Project& project);

// Runs the job in the daemon and passes its events to `watcher`. Ctrl-C cancels the run.
Result<cli::RunReport> run_in_daemon(const Project& project, const cli::RunJobOptions& options,
                                     cli::RunWatcher& watcher);

}  // namespace heddle::app
