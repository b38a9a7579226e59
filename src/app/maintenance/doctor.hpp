// Examines and repairs a project's databases. Blocks.
#pragma once

#include "base/result.hpp"
#include "base/time.hpp"
#include "cli/database_maintenance.hpp"
#include "model/job/job.hpp"

namespace heddle::app {

// Changes nothing; works beside a running daemon.
std::vector<cli::Finding> examine_project(const Project& project);

// Replaces each damaged database by a copy of its readable rows and keeps the damaged file under
// another name, of which `now` is a part. An unreadable database stays, or is replaced by an empty
// one with `allow_empty`. Returns `conflict` while another heddle process holds the project.
Result<cli::RepairReport> repair_project(const Project& project, WallTime now, bool allow_empty);

}  // namespace heddle::app
