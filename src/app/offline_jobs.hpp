// What people ask of jobs while no daemon runs for the project.
#pragma once

#include <vector>

#include "base/log.hpp"
#include "base/result.hpp"
#include "ipc/messages/control_messages.hpp"
#include "model/job.hpp"

namespace heddle::app {

// `conflict` when another heddle works on the project.
Result<std::vector<ipc::JobAnswer>> act_on_store(const Project& project,
                                                 const ipc::ActOnJobs& wanted, Log& log);

}  // namespace heddle::app
