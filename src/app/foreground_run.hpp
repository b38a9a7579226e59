// One run of a job from the command line: a coordinator with one worker, for as long as it takes.
#pragma once

#include "base/log.hpp"
#include "base/result.hpp"
#include "cli/work.hpp"
#include "model/job.hpp"

namespace heddle::app {

// Waits, and tells `watcher` so, while another heddle works on the project.
Result<cli::RunOutcome> run_in_foreground(const Project& project, const cli::RunOrder& order,
                                          cli::RunWatcher& watcher, Log& log);

}  // namespace heddle::app
