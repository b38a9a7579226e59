// Speaks to the daemon of a project over its control socket. Blocks.
#pragma once

#include "base/result.hpp"
#include "cli/work.hpp"
#include "model/job.hpp"

namespace heddle::app {

// All are answered with `not_found` when no daemon runs.
Result<ipc::DaemonStatus> ask_for_status(const Project& project);
Result<ipc::MetricsText> ask_for_metrics(const Project& project);
Result<std::vector<ipc::JobAnswer>> ask_to_act(const Project& project,
                                               const ipc::ActOnJobs& wanted);
Result<ipc::LettersDone> ask_about_letters(const Project& project, const ipc::ActOnLetters& wanted);
Result<ipc::ReloadReport> ask_to_reload(const Project& project, bool is_trial);
Status ask_to_restart_worker(const Project& project, int number);

// The daemon does the work and is followed here. Ctrl-C cancels the run.
Result<cli::RunOutcome> run_in_daemon(const Project& project, const cli::RunOrder& order,
                                      cli::RunWatcher& watcher);

}  // namespace heddle::app
