// Who has the runs of jobs worked on, as those see it who decide when they run. One event loop.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/result.hpp"
#include "hub/active_runs.hpp"
#include "model/dead_letter.hpp"
#include "model/job.hpp"
#include "model/page_report.hpp"
#include "model/run.hpp"

namespace heddle::hub {

struct FinishedRun {
  Run run;
  StageCosts costs;
  bool is_interrupted = false;  // not ended: the next coordinator goes on with it
  bool is_paused = false;       // not ended: somebody will go on with it
  std::string unreadable{};     // paused, because no worker can read the job: why
  bool is_quarantined = false;  // ended, and the job is not to run again by itself
};

class RunOffice {
 public:
  virtual ~RunOffice() = default;

  // Writes down a new run with its pages, as many as the day has left; nothing works on it yet.
  virtual Async<Result<Run>> begin(Job job, std::string trigger, int attempt,
                                   std::optional<std::int64_t> pages_left) = 0;

  // The same with the pages of these letters alone; the letters go with it.
  virtual Async<Result<Run>> begin_of_letters(Job job, RunId id, std::vector<LetterId> letters) = 0;

  // Has exactly the pages without an outcome worked on, then judges and ends the run. `on_listed`
  // is called as soon as halt() knows the run.
  virtual Async<Result<FinishedRun>> go_on(Job job, Run run, RunFollower* follower,
                                           std::function<void()> on_listed) = 0;

  // Pages in flight finish, no other begins. Nothing happens when the run is not being worked on.
  virtual void halt(const RunId& run, Halt how) = 0;

  // Deaths of workers under the job are forgotten.
  virtual void forgive(const JobId& job) = 0;

  // Whether something belongs around the work on the job's runs: they are prepared first, and end
  // only through go_on(), also those that are ended before anything was done.
  [[nodiscard]] virtual bool has_course(const Job& /*job*/) const { return false; }

  // What comes before the work on a run of such a job, which is `starting` meanwhile. False: the
  // work is not to begin, go_on() only ends the run. `on_listed` as in go_on().
  virtual Async<Result<bool>> prepare(Job job, Run run, std::function<void()> on_listed);

  // Whatever is waited for in the run is ended at once. False: there is nothing like that here, and
  // whoever asks ends the run himself.
  virtual bool force(const RunId& /*run*/) { return false; }
};

inline Async<Result<bool>> RunOffice::prepare(Job /*job*/, Run /*run*/,
                                              std::function<void()> /*on_listed*/) {
  co_return true;
}

}  // namespace heddle::hub
