// The lives of a project's jobs: every step is looked up in the table, written to the store with
// its event, and only then true here. One event loop; store and clock must outlive it.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/doorbell.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "lifecycle/job_table.hpp"
#include "model/job_life.hpp"
#include "store/store.hpp"

namespace heddle::lifecycle {

// What a step brings along besides the new state.
struct JobStep {
  JobAction action;
  std::optional<PauseReason> pause_reason{};  // of a pause
  std::optional<WallTime> next_run_at{};      // when it leads to `scheduled`
  std::optional<RunId> run{};                 // that begins
  std::string why{};                          // for the event: the trigger, an error, who asked
};

class JobKeeper {
 public:
  JobKeeper(store::Store& store, const Clock& clock) : store_(store), clock_(clock) {}

  // To be called first: what a former daemon has left.
  Async<Status> load();

  // nullptr: nothing is known of the job.
  [[nodiscard]] const JobLife* find(const JobId& job) const;
  [[nodiscard]] const std::map<JobId, JobLife>& all() const { return lives_; }

  // A job that is seen for the first time.
  Async<Status> create(JobId job, std::string revision);

  // Sets what no step decides in `now`, and may add events and messages.
  using Edit = std::function<void(JobChange&)>;
  // One or more steps, written in one piece. `conflict`, with what is possible, when the table does
  // not allow one of them; then nothing has changed.
  Async<Result<JobLife>> take(JobId job, std::vector<JobStep> steps, Edit also = nullptr);

  // The same, with steps that depend on where the job stands at that moment. No steps and no
  // change: nothing is written.
  using Decide = std::function<Result<std::vector<JobStep>>(const JobLife&)>;
  Async<Result<JobLife>> decide(JobId job, Decide decide, Edit also = nullptr);

  // What is no step: the next start, the check state.
  Async<Status> note(JobId job, Edit edit);

  // The job and its history are gone from here on. `conflict` while a run of it has not ended.
  Async<Status> remove(JobId job);

  // Returns when some job has changed.
  Async<bool> changed() { return turn_over_.wait(); }

 private:
  // One change of a job at a time.
  class Turn;

  Async<Status> write(JobChange change);

  store::Store& store_;
  const Clock& clock_;
  std::map<JobId, JobLife> lives_;
  std::set<JobId> busy_;
  Doorbell turn_over_;
};

// Pure: the life after a step that the table allows; nullopt: refused.
std::optional<JobLife> after_step(JobLife life, const JobStep& step, WallTime now);

}  // namespace heddle::lifecycle
