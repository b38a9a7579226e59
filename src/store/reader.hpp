// Reads the store for the CLI and other programs. Never waits for the writer and never blocks it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "model/job/day_figures.hpp"
#include "model/notify/dead_letter.hpp"
#include "model/run/change.hpp"
#include "model/run/item.hpp"
#include "model/run/page_diff.hpp"
#include "model/run/program_run.hpp"
#include "model/run/run.hpp"
#include "store/store.hpp"

namespace heddle::store {

struct TaskTrace {
  Task task;
  TaskState state = TaskState::pending;
  std::string error;
  CycleTrace trace;  // of the last attempt
};

// Event ids grow and are never reused.
struct StoredEvent {
  std::int64_t id = 0;
  WallTime at{};
  std::string kind;
  JobId job;         // empty: the whole project
  RunId run;         // empty: none
  std::string data;  // a JSON object; empty: none
};

// Days in the project's local time, starting with `first`.
struct DayRange {
  std::int64_t first = 0;                        // since 1970
  std::function<std::int64_t(WallTime)> day_of;  // the function that retention uses
};

// Unfinished work of all jobs.
struct Backlog {
  std::int64_t pages = 0;  // of runs that have not ended
  std::int64_t messages = 0;
  std::int64_t dead_letters = 0;
};

// One thread at a time. Blocks on the disk: call it off the event loop.
class Reader {
 public:
  virtual ~Reader() = default;

  virtual Result<std::vector<JobName>> jobs() = 0;
  virtual Result<std::vector<JobStatus>> job_statuses() = 0;  // ordered by id
  // PageMemory::key_matches of the job's pages, each text once; only of pages that were read with
  // the rules of the newest reading.
  virtual Result<std::vector<std::string>> key_matches(const JobId& job) = 0;
  // Those whose check state is neither ok nor pending, ordered by id.
  virtual Result<std::vector<JobStatus>> failing_jobs() = 0;

  // The methods for_each_…() read in batches, so that memory does not grow with the number of rows.
  // `visit` returns false to stop; it may block.

  // Visits items first seen at `since` or later, newest first.
  using VisitRecord = std::function<bool(const Record&)>;
  virtual Status for_each_record(const JobId& job, std::optional<WallTime> since,
                                 const VisitRecord& visit) = 0;

  // Visits what changed about followed items at `since` or later, newest first.
  using VisitChange = std::function<bool(const Change&)>;
  virtual Status for_each_change(const JobId& job, std::optional<WallTime> since,
                                 const VisitChange& visit) = 0;

  using VisitRun = std::function<bool(const Run&)>;
  virtual Status for_each_run(const JobId& job, const VisitRun& visit) = 0;      // newest first
  virtual Result<std::vector<Run>> runs(const JobId& job, std::size_t max) = 0;  // newest first
  // An unfinished run has its current counts.
  virtual Result<std::optional<Run>> run(const RunId& id) = 0;
  // Returns ids that begin with `prefix`, in their order.
  virtual Result<std::vector<RunId>> run_ids(const std::string& prefix, std::size_t max) = 0;
  // Visits the pages of the run in their order.
  using VisitTrace = std::function<bool(const TaskTrace&)>;
  virtual Status for_each_trace(const RunId& run, const VisitTrace& visit) = 0;
  virtual Result<ProgramHistory> program_history(const RunId& run) = 0;
  // Returns events with a larger id, oldest first.
  virtual Result<std::vector<StoredEvent>> events(std::int64_t after, std::size_t max) = 0;
  // Returns the newest events with a larger id, oldest first; an empty job selects all.
  virtual Result<std::vector<StoredEvent>> job_events(const JobId& job, std::int64_t after,
                                                      std::size_t max) = 0;
  virtual Result<Backlog> backlog() = 0;
  virtual Result<std::vector<SystemAlert>> alerts() = 0;  // raised ones, ordered by key
  // Returns the job's newest ended runs, newest first.
  virtual Result<std::vector<RunFigures>> recent_runs(const JobId& job, std::size_t max) = 0;
  // Returns the job's figures per day, oldest first, without empty days. Includes ended runs that
  // retention has removed.
  virtual Result<std::vector<RunDay>> run_days(const JobId& job, const DayRange& range) = 0;
  // One row per day and price.
  virtual Result<std::vector<PriceDay>> price_days(const JobId& job, const DayRange& range) = 0;
  virtual Result<OutboxCounts> outbox(const JobId& job) = 0;
  // Newest first; an empty job selects all jobs.
  using VisitDeadLetter = std::function<bool(const DeadLetter&)>;
  virtual Status for_each_dead_letter(const JobId& job, const VisitDeadLetter& visit) = 0;
  virtual Result<std::optional<DeadLetter>> dead_letter(DeadLetterId id) = 0;
  // Returns ids whose digits begin with those of `prefix`, in their order.
  virtual Result<std::vector<DeadLetterId>> dead_letter_ids(DeadLetterId prefix,
                                                            std::size_t max) = 0;
  // Returns the decompressed body of the page's newest version; nullopt when none is stored. `url`
  // is the job's url or the final one after redirects.
  virtual Result<std::optional<std::string>> newest_body(const JobId& job,
                                                         const std::string& url) = 0;
  // The kept versions of the page, newest first; `url` as above.
  virtual Result<std::vector<PageVersion>> versions(const JobId& job, const std::string& url,
                                                    std::size_t max) = 0;
  // The decompressed body of one of them; nullopt: the page has no such version.
  virtual Result<std::optional<std::string>> version_body(const JobId& job, const std::string& url,
                                                          std::int64_t version) = 0;
  // URLs of the job's pages that have versions, the page with the newest one first.
  virtual Result<std::vector<std::string>> pages_by_version(const JobId& job, std::size_t max) = 0;
};

}  // namespace heddle::store
