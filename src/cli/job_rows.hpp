// Jobs as people look at them: configuration, life and runs in one row.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/context.hpp"
#include "model/job_life.hpp"
#include "model/job_stats.hpp"
#include "model/json.hpp"
#include "model/run.hpp"

namespace heddle::cli {

struct JobRow {
  JobId id;
  std::string name;
  std::string kind;
  std::string group;
  std::vector<std::string> tags;
  JobLife life;
  bool is_enabled = false;  // in its file
  bool is_stored = false;   // it has a life; otherwise it was never taken up
  std::string mistake;      // the first one of its file, with its place; empty: none
  std::optional<Run> current;
  std::optional<Run> last;  // that has ended
  JobStats stats;           // over the newest runs that have ended
};

// Which jobs a command is about: by name, or by what they have in common.
struct JobSelection {
  std::vector<std::string> names;
  std::string tag;
  std::string group;
  std::string state;
  bool all = false;
  bool may_name_runs = false;  // a run under way stands for its job

  [[nodiscard]] bool is_empty() const {
    return names.empty() && tag.empty() && group.empty() && state.empty() && !all;
  }
};

// Those of the configuration and those of which only history is left, by id. An error names what
// was asked for and is not there.
Result<std::vector<JobRow>> select_jobs(Context& context, const JobSelection& selection);

void write_job_row(JsonWriter& json, const JobRow& row);
// Its fields, within an object.
void write_job_fields(JsonWriter& json, const JobRow& row);

}  // namespace heddle::cli
