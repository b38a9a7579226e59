// Stores jobs, runs, results and messages durably. All writes go through this interface.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/ids.hpp"
#include "base/result.hpp"
#include "model/job/job_stats.hpp"
#include "model/job/job_status.hpp"
#include "model/notify/dead_letter.hpp"
#include "model/notify/delivery.hpp"
#include "model/notify/system_alert.hpp"
#include "model/run/run.hpp"
#include "store/page_store.hpp"

namespace heddle::store {

// The name of a job, stored so that history can be read without its configuration.
struct JobName {
  JobId id;
  std::string name;
  std::string kind;
  std::string revision;
};

// Counts the runs that began and their pages with an outcome; all pages of an unfinished run count.
struct JobUsage {
  std::int64_t runs = 0;
  std::int64_t pages = 0;
};

// An unfinished run.
struct RunLoad {
  RunId run;
  JobId job;
  WallTime started_at{};
  std::int64_t open_tasks = 0;
  bool has_pending = false;            // tasks that were never leased
  std::optional<WallTime> next_retry;  // of tasks waiting for another attempt
};

struct SystemLoad {
  std::vector<RunLoad> runs;
  std::int64_t messages_waiting = 0;
  std::int64_t dead_letters = 0;
  std::int64_t new_dead_letters = 0;
};

// The messages of a job.
struct OutboxCounts {
  std::int64_t waiting = 0;
  std::int64_t sent = 0;
  std::int64_t dead = 0;
};

struct DeliveryWait {
  WallTime from{};
  std::chrono::milliseconds time{0};
};

// Extends PageStore by what only the owner of the runs may do.
class Store : public PageStore {
 public:
  virtual Async<Status> put_job_name(JobName job) = 0;

  // Changes the job's status with its events and messages. `conflict` when the job is not in the
  // state the change starts from.
  virtual Async<Status> change_job(JobChange change) = 0;
  virtual Async<Result<std::vector<JobStatus>>> job_statuses() = 0;  // ordered by id

  // Hides the job immediately: a job with the same id is a new one. History removes its rows in
  // batches. `conflict` while a run of the job is unfinished.
  virtual Async<Status> begin_deletion(JobId job, WallTime now) = 0;

  // Stores the run (state in_progress), one pending task per url, numbered from 1, and the event.
  // Pages that join the run later get the following numbers.
  // `conflict` when the run exists.
  virtual Async<Status> begin_run(Run run, std::vector<std::string> urls) = 0;

  // Ends the leases of the run after a worker died: tasks become pending, their tokens are refused.
  virtual Async<Status> release_leases(RunId run) = 0;

  // Sets an unfinished run to in_progress or paused. `conflict` when it has ended.
  virtual Async<Status> mark_run(RunId run, RunState state) = 0;

  // Ends the run and adds its event; counts are summed from its tasks. A run that has already ended
  // is returned unchanged.
  virtual Async<Result<Run>> end_run(RunId run, RunState state, std::vector<RunError> errors,
                                     WallTime now) = 0;

  // Returns the runs that a crash left unfinished.
  virtual Async<Result<std::vector<Run>>> unfinished_runs() = 0;

  // An unfinished run has the current counts and errors of its tasks, after the errors it began
  // with. nullopt for an unknown run.
  virtual Async<Result<std::optional<Run>>> find_run(RunId run) = 0;

  // Counts runs that began at `since` or later; zero for an unknown job.
  virtual Async<Result<JobUsage>> usage_since(JobId job, WallTime since) = 0;

  // Returns the job's newest ended runs, newest first.
  virtual Async<Result<std::vector<RunFigures>>> recent_runs(JobId job, std::size_t max) = 0;

  // Returns the current load. Dead letters since `dead_letters_since` are also counted separately.
  virtual Async<Result<SystemLoad>> system_load(WallTime dead_letters_since) = 0;

  // Raises, changes or clears an alert with its event and messages.
  virtual Async<Status> change_alert(AlertChange change) = 0;
  virtual Async<Result<std::vector<SystemAlert>>> alerts() = 0;  // raised ones, ordered by key

  // The wall clock was set by this much: moves the due times of waiting messages and page retries
  // with it, so that they wait as long as planned.
  virtual Async<Status> shift_waits(std::chrono::milliseconds by) = 0;
  // Restarts the waits that begin after `now`: the clock was set back since, unobserved.
  virtual Async<Status> restart_waits_after(WallTime now) = 0;

  // Returns undelivered messages that are due, longest due first.
  virtual Async<Result<std::vector<Delivery>>> due_deliveries(WallTime now, std::size_t max) = 0;
  virtual Async<Result<OutboxCounts>> outbox_counts(JobId job) = 0;
  // These three record the result of an attempt; `conflict` for a message that has ended otherwise.
  virtual Async<Status> delivered(DeliveryId id, WallTime now) = 0;
  virtual Async<Status> postpone_delivery(DeliveryId id, DeliveryWait wait, std::string error) = 0;
  virtual Async<Status> dead_letter_delivery(DeliveryId id, WallTime now, std::string error) = 0;

  // Begins a run with the pages of these dead letters and removes the dead letters, so that a page
  // is never both. Returns the number of pages: each url is tried once. A page that fails again
  // keeps the attempts and the first failure of its dead letter; a page without an outcome at the
  // end of the run becomes that dead letter again. `not_found` when one is gone, `bad_input` when
  // one is not a page of the run's job.
  virtual Async<Result<std::int64_t>> begin_run_of_dead_letters(
      Run run, std::vector<DeadLetterId> dead_letters) = 0;
  // Makes the messages of these dead letters due now, with their ids and attempts. All or none;
  // errors as above.
  virtual Async<Status> resend_dead_letters(std::vector<DeadLetterId> dead_letters,
                                            WallTime now) = 0;
  // Returns how many were removed.
  virtual Async<Result<std::int64_t>> purge_dead_letters(std::vector<DeadLetterId> dead_letters,
                                                         WallTime now) = 0;
};

}  // namespace heddle::store
