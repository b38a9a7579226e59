// RunLedger begins and ends runs in the store. Single event loop; store and clock must outlive it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/async.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "lifecycle/run_end_state.hpp"
#include "model/job/job.hpp"
#include "model/notify/dead_letter.hpp"
#include "model/run/run.hpp"
#include "store/store.hpp"

namespace heddle::lifecycle {

struct BegunRun {
  Run run;
  bool is_truncated = false;  // a limit allows fewer pages: the others were omitted
};

// The same, read from a stored run.
bool was_truncated(const Run& run);

class RunLedger {
 public:
  RunLedger(store::Store& store, const Clock& clock) : store_(store), clock_(clock) {}

  // Ends the job's unfinished runs as failed. Call only with the project's lock, so that no process
  // executes them. Returns how many there were.
  Async<Result<std::size_t>> end_interrupted_runs(JobId job);

  // One task per URL of a list; for a single URL one task per worker. `pages_left`: of
  // `limits.pages_per_day`.
  Async<Result<BegunRun>> begin(const Job& job, RunTrigger trigger, int attempt = 1,
                                std::optional<std::int64_t> pages_left = std::nullopt);

  // Takes only the pages of these dead letters, at most as many as a run may have; storing the run
  // removes them. The caller gives the id, because the job's status names the run before it is
  // stored.
  Async<Result<Run>> begin_dead_letter_run(const Job& job, RunId id,
                                           std::vector<DeadLetterId> dead_letters);

  Async<Result<Run>> end(RunId run, RunEndFacts facts, std::vector<RunError> errors);

 private:
  Async<Status> record_job(const Job& job);

  store::Store& store_;
  const Clock& clock_;
};

}  // namespace heddle::lifecycle
