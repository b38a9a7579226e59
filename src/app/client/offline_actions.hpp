// Applies actions on jobs and dead letters while no daemon runs for the project. Blocks.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/log/log.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "control/verbs.hpp"
#include "lifecycle/job_status_store.hpp"
#include "model/job/job.hpp"
#include "store/store.hpp"

namespace heddle::app {

// The state reported for a deleted job.
inline constexpr const char* kDeleted = "deleted";

// Says why the job refused an action, its state and the actions that it allows. Not an error when
// the job is already as the action would leave it.
void describe_refusal(const Error& why, const lifecycle::JobStatusStore& statuses,
                      control::JobActionResult& result,
                      std::optional<lifecycle::JobAction> action = std::nullopt);

// The folder of a job's data files, deleted with the job. Empty: the id is no valid folder name.
std::filesystem::path data_folder_of(const Project& project, const std::string& job);

// Purges or resends dead letters; for the daemon, too.
Async<Result<control::DeadLettersDone>> apply_dead_letter_action(store::Store& store,
                                                                 const Clock& clock,
                                                                 control::ActOnDeadLetters request);

// These return `conflict` when another heddle process holds the project.
Result<std::vector<control::JobActionResult>> act_on_jobs_offline(const Project& project,
                                                                  const control::ActOnJobs& request,
                                                                  Log& log);
// The next daemon or run sends the messages.
Result<control::DeadLettersDone> act_on_stored_dead_letters(const Project& project,
                                                            control::ActOnDeadLetters request,
                                                            Log& log);

}  // namespace heddle::app
