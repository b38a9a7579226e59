// RunExecutor executes the runs of one kind of job. Single event loop.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/result.hpp"
#include "hub/runs/dispatch/active_runs.hpp"
#include "model/job/job.hpp"
#include "model/notify/dead_letter.hpp"
#include "model/run/page_report.hpp"
#include "model/run/run.hpp"

namespace heddle::hub {

struct FinishedRun {
  Run run;
  StageCosts costs;
  bool is_interrupted = false;  // not ended: the next coordinator resumes it
  bool is_paused = false;       // not ended: resumed later
  std::string unreadable{};     // why it is paused: no worker can read the job
  bool is_quarantined = false;  // ended, and the job must not run again by itself
};

class RunExecutor {
 public:
  virtual ~RunExecutor() = default;

  // Stores a new run with its pages, at most `pages_left`; execution has not begun.
  virtual Async<Result<Run>> begin(Job job, std::string trigger, int attempt,
                                   std::optional<std::int64_t> pages_left) = 0;

  // The same with the pages of these dead letters, which are removed.
  virtual Async<Result<Run>> begin_dead_letter_run(Job job, RunId id,
                                                   std::vector<DeadLetterId> dead_letters) = 0;

  // Executes the pages without an outcome, then ends the run. Calls `on_registered` as soon as
  // halt() knows the run.
  virtual Async<Result<FinishedRun>> execute(Job job, Run run, RunObserver* observer,
                                             std::function<void()> on_registered) = 0;

  // Pages in flight finish, no other begins. Does nothing when the run is not executing.
  virtual void halt(const RunId& run, Halt how) = 0;

  // Forgets crashes of workers under the job.
  virtual void clear_crashes(const JobId& job) = 0;

  // Whether the job's runs have stages around the work. Such a run is prepared first and ends only
  // through execute(), even when it is ended before its work begins.
  [[nodiscard]] virtual bool has_stages(const Job& /*job*/) const { return false; }

  // The stage before the work of such a run; its job is `starting` meanwhile. False: the work must
  // not begin, execute() only ends the run. `on_registered` as in execute().
  virtual Async<Result<bool>> prepare(Job job, Run run, std::function<void()> on_registered);

  // Ends everything the run waits for immediately. False: not supported, the caller ends the run.
  virtual bool force(const RunId& /*run*/) { return false; }
};

inline Async<Result<bool>> RunExecutor::prepare(Job /*job*/, Run /*run*/,
                                                std::function<void()> /*on_listed*/) {
  co_return true;
}

}  // namespace heddle::hub
