// Applies job actions while no daemon runs for the project.
#pragma once

#include <vector>

#include "base/log/log.hpp"
#include "base/result.hpp"
#include "control/verbs.hpp"
#include "model/job/job.hpp"

namespace heddle::app {

// The state reported for a deleted job.
inline constexpr const char* kDeleted = "deleted";

// The folder of a job's data files, deleted with the job. Empty: the id is no valid folder name.
std::filesystem::path data_folder_of(const Project& project, const std::string& job);

// Returns `conflict` when another heddle process holds the project.
Result<std::vector<control::JobActionResult>> act_on_jobs_offline(const Project& project,
                                                                  const control::ActOnJobs& request,
                                                                  Log& log);

}  // namespace heddle::app
