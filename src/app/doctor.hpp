// Looks after a project's databases: what is wrong with them, and saving what can be read. Blocks.
#pragma once

#include "base/result.hpp"
#include "base/time.hpp"
#include "cli/upkeep.hpp"
#include "model/job.hpp"

namespace heddle::app {

// Changes nothing, and works beside a running daemon.
std::vector<cli::Finding> examine_project(const Project& project);

struct RepairOrder {
  WallTime now{};                // names the damaged files
  bool may_begin_empty = false;  // with a database nothing can be read of
};

// Moves each damaged database aside and puts what can be read of it in its place. One of which
// nothing can be read stays, unless an empty one may take its place. `conflict` while another
// heddle works on the project.
Result<cli::RepairReport> repair_project(const Project& project, const RepairOrder& order);

}  // namespace heddle::app
