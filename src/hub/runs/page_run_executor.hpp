// PageRunExecutor executes runs of pages: RunDispatcher has the pages processed, then the executor
// decides how the run ended and stores that. Single event loop; everything passed in outlives it.
#pragma once

#include <functional>

#include "base/async.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "base/wake_signal.hpp"
#include "hub/runs/dispatch/run_dispatcher.hpp"
#include "hub/runs/run_executor.hpp"
#include "model/job/job.hpp"
#include "store/store.hpp"

namespace heddle::hub {

class PageRunExecutor final : public RunExecutor {
 public:
  PageRunExecutor(RunDispatcher& dispatcher, store::Store& store, const Clock& clock)
      : dispatcher_(dispatcher), store_(store), clock_(clock) {}

  [[nodiscard]] bool has_stages(const Job& /*job*/) const override { return false; }
  Async<Result<bool>> prepare(Job job, Run run, std::function<void()> on_registered) override;
  Async<Result<ExecutionResult>> execute(Job job, Run run, RunObserver* observer,
                                         std::function<void()> on_registered = nullptr) override;
  bool halt(const RunId& run, Halt how) override;

  // execute() without the end of the run, for callers with further stages. The errors of a finished
  // result are those to be stored with the end.
  Async<Result<ExecutionResult>> execute_pages(Job job, RunId run, RunObserver* observer,
                                               std::function<void()> on_registered);

  // Returns when no run is active.
  Async<void> idle();

 private:
  // Counts a run as active while the result exists.
  auto count_active();
  Async<Result<ExecutionResult>> conclude(const Job& job, RunId run, ExecutionResult result);

  RunDispatcher& dispatcher_;
  store::Store& store_;
  const Clock& clock_;
  std::size_t under_way_ = 0;
  WakeSignal run_ended_;
};

}  // namespace heddle::hub
