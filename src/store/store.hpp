// The durable truth: what is stored, told and still to do. All writes go through here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/ids.hpp"
#include "base/result.hpp"
#include "model/dead_letter.hpp"
#include "model/delivery.hpp"
#include "model/job_life.hpp"
#include "model/job_stats.hpp"
#include "model/run.hpp"
#include "model/system_alert.hpp"
#include "store/page_store.hpp"

namespace heddle::store {

// What a job is called, kept so that history can be read without its configuration.
struct JobName {
  JobId id;
  std::string name;
  std::string kind;
  std::string revision;
};

// What a job has done: runs that began, and their pages that have an outcome (of a run that has not
// ended all of them).
struct JobUsage {
  std::int64_t runs = 0;
  std::int64_t pages = 0;
};

// A run that is in progress.
struct RunLoad {
  RunId run;
  JobId job;
  WallTime started_at{};
  std::int64_t open_tasks = 0;
  bool has_pending = false;            // tasks that nobody has begun
  std::optional<WallTime> next_retry;  // of tasks that wait for another try
};

struct SystemLoad {
  std::vector<RunLoad> runs;
  std::int64_t messages_waiting = 0;
  std::int64_t dead_letters = 0;
  std::int64_t new_dead_letters = 0;
};

// As PageStore, and all that only the owner of the runs does.
class Store : public PageStore {
 public:
  virtual Async<Status> remember_job(JobName job) = 0;

  // A step in a job's life, its events and its messages, in one piece; `conflict` when the job is
  // not where the step begins.
  virtual Async<Status> change_job(JobChange change) = 0;
  virtual Async<Result<std::vector<JobLife>>> job_lives() = 0;  // ordered by id

  // From here on nothing is known of the job: one with the same id is a new one. The rows it left
  // go in pieces, see History. `conflict` when a run of it has not ended.
  virtual Async<Status> begin_deletion(JobId job, WallTime now) = 0;

  // Stores the run (state in_progress), a pending task per url, numbered from 1, and the event.
  // `conflict` when the run exists already.
  virtual Async<Status> begin_run(Run run, std::vector<std::string> urls) = 0;

  // Leases end and their tasks are pending again (a worker died); their old tokens are refused.
  virtual Async<Status> release_leases(RunId run) = 0;

  // A run that has not ended goes from in_progress to paused or back. `conflict` when it has ended.
  virtual Async<Status> mark_run(RunId run, RunState state) = 0;

  // Ends the run, with its event; counts are summed up from its tasks. A run that has ended stays
  // as it is and is returned.
  virtual Async<Result<Run>> end_run(RunId run, RunState state, std::vector<RunError> errors,
                                     WallTime now) = 0;

  // Runs that neither ended nor were ended by anybody: what a crash left behind.
  virtual Async<Result<std::vector<Run>>> unfinished_runs() = 0;

  // Counts and errors of a run that has not ended are those of its tasks at this moment, behind the
  // errors it began with; nullopt when there is no such run.
  virtual Async<Result<std::optional<Run>>> find_run(RunId run) = 0;

  // Of runs that began at `since` or later; nothing for an unknown job.
  virtual Async<Result<JobUsage>> usage_since(JobId job, WallTime since) = 0;

  // The newest runs of a job that have ended, newest first.
  virtual Async<Result<std::vector<RunFigures>>> recent_runs(JobId job, std::size_t max) = 0;

  // What is under way and what waits at this moment. `letters_since`: dead letters that came then
  // or later are counted apart.
  virtual Async<Result<SystemLoad>> system_load(WallTime letters_since) = 0;

  // An alert is raised, changed or over, with its event and messages, in one piece.
  virtual Async<Status> change_alert(AlertChange change) = 0;
  virtual Async<Result<std::vector<SystemAlert>>> alerts() = 0;  // those raised, ordered by key

  // Undelivered messages that are due, the longest due first.
  virtual Async<Result<std::vector<Delivery>>> due_deliveries(WallTime now, std::size_t max) = 0;
  // These three say how an attempt went; a message that has ended otherwise is a `conflict`.
  virtual Async<Status> delivered(DeliveryId id, WallTime now) = 0;
  virtual Async<Status> postpone_delivery(DeliveryId id, WallTime due_at, std::string error) = 0;
  // Given up: becomes a dead letter.
  virtual Async<Status> bury_delivery(DeliveryId id, WallTime now, std::string error) = 0;

  // As begin_run, with the pages of these letters; they are gone when the run is there, so that a
  // page is waiting in one place only. Answers how many pages that are: a url is tried once. A page
  // that dies again has the attempts and the first failure of its letter; one without an outcome at
  // the end of the run is that letter again.
  // `not_found` when one is gone already, `bad_input` when one is not of a page of the run's job.
  virtual Async<Result<std::int64_t>> begin_run_of_letters(Run run,
                                                           std::vector<LetterId> letters) = 0;
  // The messages of these letters are due now, with all their attempts before them and the ids
  // they had. All or none; refused as above.
  virtual Async<Status> resend_letters(std::vector<LetterId> letters, WallTime now) = 0;
  // Answers how many were there.
  virtual Async<Result<std::int64_t>> purge_letters(std::vector<LetterId> letters,
                                                    WallTime now) = 0;
};

}  // namespace heddle::store
