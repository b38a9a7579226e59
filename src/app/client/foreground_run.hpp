// Runs a job once in this process: a coordinator with one worker.
#pragma once

#include "base/log/log.hpp"
#include "base/result.hpp"
#include "cli/command_backend.hpp"
#include "model/job/job.hpp"

namespace heddle::app {

// Waits, after a notice to `watcher`, while another heddle process holds the project.
Result<cli::RunReport> run_in_foreground(const Project& project, const cli::RunJobOptions& options,
                                         cli::RunWatcher& watcher, Log& log);

}  // namespace heddle::app
