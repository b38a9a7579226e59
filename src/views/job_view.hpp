// JobView is one job as users see it: configuration, status and runs. Plain values; the functions
// that take a Reader block on the disk.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "control/verbs.hpp"
#include "model/job/day_figures.hpp"
#include "model/job/job.hpp"
#include "model/job/job_stats.hpp"
#include "model/job/job_status.hpp"
#include "model/json.hpp"
#include "model/run/program_run.hpp"
#include "model/run/run.hpp"
#include "store/reader.hpp"

namespace heddle::views {

struct JobView {
  JobId id;
  std::string name;
  std::string kind;
  std::string group;
  std::vector<std::string> tags;
  JobStatus status;
  bool is_enabled = false;  // as configured
  bool is_stored = false;   // it has a stored status; false: it was never loaded
  std::string mistake;      // the first error of its file, with line; empty: none
  std::optional<Run> current;
  std::optional<Run> last;  // the newest that has ended
  JobStats stats;           // of the newest ended runs
};

// A job whose configuration has errors.
struct InvalidJob {
  JobId id;            // empty: unknown
  std::string name;    // likewise
  std::string folder;  // its last part; empty: none
  std::string mistake;
};

// Returns configured jobs and jobs that exist only in the store, by id, without their runs.
Result<std::vector<JobView>> read_jobs(store::Reader& reader, const std::vector<Job>& valid,
                                       const std::vector<InvalidJob>& invalid);
// Adds `current`, `last` and `stats`.
Status read_runs(store::Reader& reader, JobView& job);

void write_job(JsonWriter& json, const JobView& job);

struct JobDetails {
  JobView job;
  std::vector<RunDay> days;               // oldest first
  std::vector<PriceDay> price_days;       // oldest first
  ProgramHistory programs;                // of the current run, else of the last
  RunState run_state = RunState::queued;  // of that run
};

Result<JobDetails> read_job_details(store::Reader& reader, JobView job,
                                    const store::DayRange& range);
void write_job_details(JsonWriter& json, const JobDetails& details);

// What an action did to a job.
void write_action_result(JsonWriter& json, const control::JobActionResult& result);

}  // namespace heddle::views
