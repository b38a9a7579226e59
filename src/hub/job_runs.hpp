// Runs of jobs from their record to their verdict: begins them in the store, has the desk work
// through their pages, judges and ends them. One event loop; everything it is given outlives it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/doorbell.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "hub/run_desk.hpp"
#include "hub/run_office.hpp"
#include "lifecycle/run_keeper.hpp"
#include "model/job.hpp"
#include "store/store.hpp"

namespace heddle::hub {

class JobRuns final : public RunOffice {
 public:
  JobRuns(RunDesk& desk, store::Store& store, const Clock& clock)
      : desk_(desk), store_(store), clock_(clock), keeper_(store, clock) {}

  // A new run. `on_begun` is called when it is in the store and can be cancelled.
  Async<Result<FinishedRun>> run(Job job, std::string trigger, RunFollower* follower,
                                 std::function<void(const Run&)> on_begun);

  Async<Result<Run>> begin(Job job, std::string trigger, int attempt,
                           std::optional<std::int64_t> pages_left) override;
  Async<Result<Run>> begin_of_letters(Job job, RunId id, std::vector<LetterId> letters) override;
  Async<Result<FinishedRun>> go_on(Job job, Run run, RunFollower* follower,
                                   std::function<void()> on_listed = nullptr) override;
  void halt(const RunId& run, Halt how) override { desk_.halt(run, how); }
  void forgive(const JobId& job) override { desk_.suspects().release(job); }

  // What became of the pages of a run that has not ended yet.
  struct Worked {
    FinishedRun finished;  // its run as it is now
    RunState verdict = RunState::completed;
    std::vector<RunError> errors{};
  };
  // As go_on(), without the end: for those who have something to do between.
  Async<Result<Worked>> work(Job job, Run run, RunFollower* follower,
                             std::function<void()> on_listed);

  // Returns when no run is under way.
  Async<void> idle();

 private:
  // One run, while it lives.
  class Count;

  Async<Result<Worked>> judge(const Job& job, RunId run, WorkDone done);
  Async<Status> leave(FinishedRun& finished);

  RunDesk& desk_;
  store::Store& store_;
  const Clock& clock_;
  lifecycle::RunKeeper keeper_;
  std::size_t under_way_ = 0;
  Doorbell run_over_;
};

}  // namespace heddle::hub
