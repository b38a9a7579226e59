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

// Call only with the project's lock, so that no process executes the job's runs. The end of a run
// with programs or hooks is decided here; the next daemon runs its remaining stages.
Async<Result<JobStatus>> act_offline(OfflineParts parts, JobId job, ActionRequest request);

}  // namespace heddle::lifecycle
