// RunExecutor executes stored runs: PageRunExecutor those of pages, CommandRunExecutor those with
// processes or hooks. Single event loop.
#pragma once

#include <functional>

#include "base/async.hpp"
#include "base/result.hpp"
#include "hub/runs/dispatch/active_runs.hpp"
#include "model/job/job.hpp"
#include "model/run/execution_result.hpp"
#include "model/run/run.hpp"

namespace heddle::hub {

class RunExecutor {
 public:
  virtual ~RunExecutor() = default;

  // Whether the job's runs have stages around the work. Such a run is prepared first and ends only
  // through execute(), even when it is ended before its work begins.
  [[nodiscard]] virtual bool has_stages(const Job& job) const = 0;

  // The stage before the work of such a run; its job is `starting` meanwhile. False: the work must
  // not begin, execute() only ends the run. Calls `on_registered` as soon as halt() knows the run.
  virtual Async<Result<bool>> prepare(Job job, Run run, std::function<void()> on_registered) = 0;

  // Executes what is left of the run and ends it in the store if nothing is left then.
  // `on_registered` as in prepare(). An error: how far it came could not be stored.
  virtual Async<Result<ExecutionResult>> execute(Job job, Run run, RunObserver* observer,
                                                 std::function<void()> on_registered) = 0;

  // Pages and hooks in progress finish, unless forced; no other begins. False: the run is not
  // registered, or it cannot be forced and the caller ends it.
  virtual bool halt(const RunId& run, Halt how) = 0;
};

}  // namespace heddle::hub
