// Connects to the project's daemon and runs a job once, in the daemon or in this process. Blocks.
#pragma once

#include <memory>

#include "base/log/log.hpp"
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

// Runs the job in this process: a coordinator with one worker. Waits, after a notice to `watcher`,
// while another heddle process holds the project.
Result<cli::RunReport> run_in_foreground(const Project& project, const cli::RunJobOptions& options,
                                         cli::RunWatcher& watcher, Log& log);

}  // namespace heddle::app
