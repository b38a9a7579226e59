// Calls the daemon of a project over its control socket. Blocks.
#pragma once

#include "base/result.hpp"
#include "cli/command_backend.hpp"
#include "model/job/job.hpp"

namespace heddle::app {

// All return `not_found` when no daemon runs.
Result<ipc::DaemonStatus> fetch_status(const Project& project);
Result<ipc::MetricsText> fetch_metrics(const Project& project);
Result<std::vector<ipc::JobActionResult>> request_job_action(const Project& project,
                                                             const ipc::ActOnJobs& request);
Result<ipc::DeadLettersDone> request_dead_letter_action(const Project& project,
                                                        const ipc::ActOnDeadLetters& request);
Result<ipc::ReloadReport> request_reload(const Project& project, bool dry_run);
Status request_worker_restart(const Project& project, int number);

// Runs the job in the daemon and passes its events to `watcher`. Ctrl-C cancels the run.
Result<cli::RunReport> run_in_daemon(const Project& project, const cli::RunJobOptions& options,
                                     cli::RunWatcher& watcher);

}  // namespace heddle::app
