// Carries out actions on jobs while no daemon runs, by the same transition table. The next daemon
// continues from there.
#pragma once

#include "base/async.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "lifecycle/job_status_store.hpp"
#include "store/run_journal.hpp"
#include "store/store.hpp"

namespace heddle::lifecycle {

struct OfflineParts {
  JobStatusStore& statuses;  // loaded
  store::Store& store;
  store::RunJournal& journal;
  const Clock& clock;
};

// Call only with the project's lock, so that no process executes the job's runs. A run of a job
// with post_stop hooks does not end here: the next daemon runs them. Until then the run is paused.
Async<Result<JobStatus>> act_offline(OfflineParts parts, JobId job, ActionRequest request,
                                     bool has_post_stop_hooks = true);

// Whether the action ends the job's unfinished run.
bool ends_run(JobAction action);

}  // namespace heddle::lifecycle
