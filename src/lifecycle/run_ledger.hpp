// RunLedger begins runs in the store and ends those a previous process left. Single event loop;
// store and clock must outlive it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/async.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "model/job/job.hpp"
#include "model/notify/dead_letter.hpp"
#include "model/run/run.hpp"
#include "store/store.hpp"

namespace heddle::lifecycle {

// Whether a limit allowed fewer pages when the run began: the others were omitted.
bool was_truncated(const Run& run);

// Why a run failed that the next one did not resume.
inline constexpr const char* kReplacedByLaterRun =
    "heddle was stopped before this run had ended, and a later run replaced it; the items it "
    "stored "
    "are kept";

class RunLedger {
 public:
  RunLedger(store::Store& store, const Clock& clock) : store_(store), clock_(clock) {}

  // Ends the job's unfinished runs as failed. Call only with the project's lock, so that no process
  // executes them. Returns how many there were.
  Async<Result<std::size_t>> end_interrupted_runs(JobId job);

  // One task per URL of a list; for a single URL one task per worker. `pages_left`: of
  // `limits.pages_per_day`.
  Async<Result<Run>> begin(const Job& job, RunTrigger trigger, int attempt = 1,
                           std::optional<std::int64_t> pages_left = std::nullopt);

  // Takes only the pages of these dead letters, at most as many as a run may have; storing the run
  // removes them. The caller gives the id, because the job's status names the run before it is
  // stored.
  Async<Result<Run>> begin_dead_letter_run(const Job& job, RunId id,
                                           std::vector<DeadLetterId> dead_letters);

 private:
  Async<Status> record_job(const Job& job);
  [[nodiscard]] Run new_run(const Job& job, RunId id, RunTrigger trigger) const;

  store::Store& store_;
  const Clock& clock_;
};

}  // namespace heddle::lifecycle
