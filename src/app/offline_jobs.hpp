// What people ask of jobs while no daemon runs for the project.
#pragma once

#include <vector>

#include "base/log.hpp"
#include "base/result.hpp"
#include "ipc/messages/control_messages.hpp"
#include "model/job.hpp"

namespace heddle::app {

// The state that is answered for a job that is no more.
inline constexpr const char* kDeleted = "deleted";

// Where the engine keeps files of a job; they go with it. Empty: it has no folder of its own.
std::filesystem::path data_folder_of(const Project& project, const std::string& job);

// `conflict` when another heddle works on the project.
Result<std::vector<ipc::JobAnswer>> act_on_store(const Project& project,
                                                 const ipc::ActOnJobs& wanted, Log& log);

}  // namespace heddle::app
