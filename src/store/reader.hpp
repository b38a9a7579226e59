// Read-only views for people and programs: never waits for the writer, never blocks it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "model/day_figures.hpp"
#include "model/dead_letter.hpp"
#include "model/item.hpp"
#include "model/program_run.hpp"
#include "model/run.hpp"
#include "store/store.hpp"

namespace heddle::store {

struct TaskTrace {
  Task task;
  TaskState state = TaskState::pending;
  std::string error;
  CycleTrace trace;  // of the last try
};

// Something that happened; ids grow and never return.
struct StoredEvent {
  std::int64_t id = 0;
  WallTime at{};
  std::string kind;
  JobId job;         // empty: of the whole project
  RunId run;         // empty: none
  std::string data;  // a JSON object; empty: none
};

struct OutboxCounts {
  std::int64_t waiting = 0;
  std::int64_t sent = 0;
  std::int64_t dead = 0;
};

// Days of the project's local time, from the first of them on.
struct DayRange {
  std::int64_t first = 0;                        // counted from 1970
  std::function<std::int64_t(WallTime)> day_of;  // the same function that retention is given
};

// What waits, over all jobs.
struct Backlog {
  std::int64_t pages = 0;  // of runs that have not ended
  std::int64_t messages = 0;
  std::int64_t dead_letters = 0;
};

// One thread at a time; blocks on the disk, so call it off the event loop.
class Reader {
 public:
  virtual ~Reader() = default;

  virtual Result<std::vector<JobName>> jobs() = 0;
  virtual Result<std::vector<JobLife>> job_lives() = 0;  // ordered by id

  // Items first seen at `since` or later, newest first; `visit` returns false to stop and may take
  // its time.
  using VisitRecord = std::function<bool(const Record&)>;
  virtual Status for_each_record(const JobId& job, std::optional<WallTime> since,
                                 const VisitRecord& visit) = 0;

  virtual Result<std::vector<Run>> runs(const JobId& job, std::size_t max) = 0;  // newest first
  // Counts of a run that has not ended are those of this moment.
  virtual Result<std::optional<Run>> run(const RunId& id) = 0;
  virtual Result<std::vector<TaskTrace>> traces(const RunId& run) = 0;
  // What became of its processes and hooks.
  virtual Result<ProgramHistory> program_history(const RunId& run) = 0;
  // Events with a larger id, oldest first.
  virtual Result<std::vector<StoredEvent>> events(std::int64_t after, std::size_t max) = 0;
  // The newest ones of a job with a larger id, oldest first.
  virtual Result<std::vector<StoredEvent>> job_events(const JobId& job, std::int64_t after,
                                                      std::size_t max) = 0;
  virtual Result<Backlog> backlog() = 0;
  virtual Result<std::vector<SystemAlert>> alerts() = 0;  // those raised, ordered by key
  // The newest runs of a job that have ended, newest first.
  virtual Result<std::vector<RunFigures>> recent_runs(const JobId& job, std::size_t max) = 0;
  // What a job did day by day, oldest first, days without any left out: of runs that have ended,
  // also of those that retention has removed.
  virtual Result<std::vector<RunDay>> run_days(const JobId& job, const DayRange& range) = 0;
  // The same of its prices; a line per day and price.
  virtual Result<std::vector<PriceDay>> price_days(const JobId& job, const DayRange& range) = 0;
  virtual Result<OutboxCounts> outbox(const JobId& job) = 0;
  // Newest first; an empty job: of all jobs.
  virtual Result<std::vector<DeadLetter>> dead_letters(const JobId& job, std::size_t max) = 0;
  virtual Result<std::optional<DeadLetter>> dead_letter(LetterId id) = 0;
  // The body of a page's newest version, decompressed; nullopt when none is kept. The url is the
  // job's, or the one after redirects.
  virtual Result<std::optional<std::string>> newest_body(const JobId& job,
                                                         const std::string& url) = 0;
};

}  // namespace heddle::store
