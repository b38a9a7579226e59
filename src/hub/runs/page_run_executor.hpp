// PageRunExecutor executes runs of pages: stores the run, has RunDispatcher process its pages,
// decides how the run ended and stores the end. Single event loop; everything passed in outlives
// it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "base/wake_signal.hpp"
#include "hub/runs/dispatch/run_dispatcher.hpp"
#include "hub/runs/run_executor.hpp"
#include "lifecycle/run_ledger.hpp"
#include "model/job/job.hpp"
#include "store/store.hpp"

namespace heddle::hub {

class PageRunExecutor final : public RunExecutor {
 public:
  PageRunExecutor(RunDispatcher& dispatcher, store::Store& store, const Clock& clock)
      : dispatcher_(dispatcher), store_(store), clock_(clock), ledger_(store, clock) {}

  // Executes a new run. Calls `on_begun` when the run is stored and can be cancelled.
  Async<Result<FinishedRun>> run(Job job, std::string trigger, RunObserver* observer,
                                 std::function<void(const Run&)> on_begun);

  Async<Result<Run>> begin(Job job, std::string trigger, int attempt,
                           std::optional<std::int64_t> pages_left) override;
  Async<Result<Run>> begin_dead_letter_run(Job job, RunId id,
                                           std::vector<DeadLetterId> dead_letters) override;
  Async<Result<FinishedRun>> execute(Job job, Run run, RunObserver* observer,
                                     std::function<void()> on_registered = nullptr) override;
  void halt(const RunId& run, Halt how) override { dispatcher_.halt(run, how); }
  void clear_crashes(const JobId& job) override { dispatcher_.crash_tracker().clear(job); }

  // The pages of a run that has not ended yet.
  struct Worked {
    FinishedRun finished;  // the run as stored now
    RunState verdict = RunState::completed;
    std::vector<RunError> errors{};
  };
  // execute() without the end, for callers with further stages.
  Async<Result<Worked>> execute_pages(Job job, Run run, RunObserver* observer,
                                      std::function<void()> on_registered);

  // Returns when no run is active.
  Async<void> idle();

 private:
  // Counts a run as active while it exists.
  class ActiveCount;

  Async<Result<Worked>> conclude(const Job& job, RunId run, WorkDone done);
  Async<Status> suspend(FinishedRun& finished);

  RunDispatcher& dispatcher_;
  store::Store& store_;
  const Clock& clock_;
  lifecycle::RunLedger ledger_;
  std::size_t under_way_ = 0;
  WakeSignal run_ended_;
};

}  // namespace heddle::hub
