// What people ask of a job while no daemon runs: the same table, on the store alone. The next
// daemon goes on from there.
#pragma once

#include "base/async.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "lifecycle/job_keeper.hpp"
#include "store/run_journal.hpp"
#include "store/store.hpp"

namespace heddle::lifecycle {

struct OfflineParts {
  JobKeeper& keeper;  // loaded
  store::Store& store;
  store::RunJournal& journal;
  const Clock& clock;
};

// Only while holding the project's lock: nobody else can be working on its runs then. The end of a
// run with programs or hooks is decided here; what belongs to it is done by the next daemon.
Async<Result<JobLife>> act_offline(OfflineParts parts, JobId job, JobAction action);

}  // namespace heddle::lifecycle
