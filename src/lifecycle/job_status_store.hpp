// JobStatusStore holds the status of each of a project's jobs. It checks every step against the
// transition table and stores it with its event before it takes effect here. Single event loop;
// store and clock must outlive it.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/async.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "base/wake_signal.hpp"
#include "lifecycle/job_transitions.hpp"
#include "model/job/job_status.hpp"
#include "store/store.hpp"

namespace heddle::lifecycle {

// An action with the details of the new state.
struct JobStep {
  JobAction action;
  std::optional<PauseReason> pause_reason{};  // of a pause
  std::optional<WallTime> next_run_at{};      // of a step to `scheduled`
  std::optional<RunId> run{};                 // that begins
  std::string why{};                          // for the event: trigger, error or requester
};

// What a user, or the daemon for one, asks of a job.
struct ActionRequest {
  JobAction action;
  bool force = false;         // of a stop: pages in flight are not waited for
  std::string by = "daemon";  // who asks, for the record: "cli:anna"
};

class JobStatusStore {
 public:
  JobStatusStore(store::Store& store, const Clock& clock) : store_(store), clock_(clock) {}

  // Reads the statuses left by the previous daemon. Call first.
  Async<Status> load();

  // nullptr: unknown job.
  [[nodiscard]] const JobStatus* find(const JobId& job) const;
  [[nodiscard]] const std::map<JobId, JobStatus>& all() const { return statuses_; }

  // Does nothing when the job exists.
  Async<Status> create(JobId job, std::string revision);

  // Sets fields of `now` that no step decides, and may add events and messages.
  using Edit = std::function<void(JobChange&)>;
  // Applies the steps in one write. `conflict`, with the possible actions, when the table forbids
  // one of them; then nothing has changed.
  Async<Result<JobStatus>> apply(JobId job, std::vector<JobStep> steps, Edit edit = nullptr);

  // The same with steps chosen by the current status. Without steps and changes nothing is written.
  using Decide = std::function<Result<std::vector<JobStep>>(const JobStatus&)>;
  Async<Result<JobStatus>> apply_decided(JobId job, Decide decide, Edit edit = nullptr);

  // Changes fields that are not part of a step, such as the next start or the check state.
  Async<Result<JobStatus>> update(JobId job, Edit edit) {
    return apply(std::move(job), {}, std::move(edit));
  }

  // Deletes the job and its history. `conflict` while it has an unfinished run.
  Async<Status> remove(JobId job);

  // Returns when some job has changed.
  Async<bool> changed() { return change_done_.wait(); }

 private:
  // Allows no other change of the job while the result exists.
  auto begin_change(const JobId& job);
  Async<Status> write(JobChange change);

  store::Store& store_;
  const Clock& clock_;
  std::map<JobId, JobStatus> statuses_;
  std::set<JobId> busy_;
  WakeSignal change_done_;
};

// Adds to every event of the change who asked for it. `edit` may be empty.
JobStatusStore::Edit attributed(std::string by, JobStatusStore::Edit edit = nullptr);

// Pure: the status after a step; nullopt: the table forbids it.
std::optional<JobStatus> after_step(JobStatus status, const JobStep& step, WallTime now);

}  // namespace heddle::lifecycle
