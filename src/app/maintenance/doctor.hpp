// Examines and repairs a project's databases. Blocks.
#pragma once

#include "base/result.hpp"
#include "base/time.hpp"
#include "cli/database_maintenance.hpp"
#include "model/job/job.hpp"

namespace heddle::app {

// Changes nothing; works beside a running daemon.
std::vector<cli::Finding> examine_project(const Project& project);

struct RepairRequest {
  WallTime now{};            // part of the damaged files' new names
  bool allow_empty = false;  // replace an unreadable database by an empty one
};

// Replaces each damaged database by a copy of its readable rows and keeps the damaged file under
// another name. An unreadable database stays unless `allow_empty`. Returns `conflict` while another
// heddle process holds the project.
Result<cli::RepairReport> repair_project(const Project& project, const RepairRequest& request);

}  // namespace heddle::app
