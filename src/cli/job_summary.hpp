// Selects jobs and summarizes each one: configuration, status and runs.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/command_context.hpp"
#include "model/job/job_stats.hpp"
#include "model/job/job_status.hpp"
#include "model/json.hpp"
#include "model/run/run.hpp"

namespace heddle::cli {

struct JobSummary {
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

// Selects jobs by name, tag, group or state, or all of them.
struct JobSelection {
  std::vector<std::string> names;
  std::string tag;
  std::string group;
  std::string state;
  bool all = false;
  bool may_name_runs = false;  // a name may be the id of an active run

  [[nodiscard]] bool is_empty() const {
    return names.empty() && tag.empty() && group.empty() && state.empty() && !all;
  }
};

// Returns configured jobs and jobs that exist only in the history, by id. Fails for an unknown
// name.
Result<std::vector<JobSummary>> select_jobs(CommandContext& context, const JobSelection& selection);

void write_job_summary(JsonWriter& json, const JobSummary& summary);
// Writes the fields only, into the open object.
void write_job_fields(JsonWriter& json, const JobSummary& summary);

}  // namespace heddle::cli
