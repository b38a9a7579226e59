// Selects the jobs that a command is about.
#pragma once

#include <string>
#include <vector>

#include "cli/command_context.hpp"
#include "views/job_view.hpp"

namespace heddle::cli {

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
Result<std::vector<views::JobView>> select_jobs(const ProjectHistory& history,
                                                const JobSelection& selection);

}  // namespace heddle::cli
