// Looks after a project's databases: what is wrong with them, and saving what can be read. Blocks.
#pragma once

#include "base/result.hpp"
#include "base/time.hpp"
#include "cli/upkeep.hpp"
#include "model/job.hpp"

namespace heddle::app {

// Changes nothing, and works beside a running daemon.
std::vector<cli::Finding> examine_project(const Project& project);

// Moves each damaged database aside and puts what can be read of it in its place. `conflict` while
// another heddle works on the project.
Result<cli::RepairReport> repair_project(const Project& project, WallTime now);

}  // namespace heddle::app
