// Opens a project's store under the project's lock while no daemon runs.
#pragma once

#include <memory>

#include "app/project/project_lock.hpp"
#include "base/log/log.hpp"
#include "base/result.hpp"
#include "model/job/job.hpp"
#include "store/sqlite/sqlite_store.hpp"

namespace heddle::app {

struct LockedStore {
  ProjectLock lock;  // released last
  std::unique_ptr<store::SqliteStore> store;
};

// Returns `conflict` when another heddle process holds the project.
Result<LockedStore> open_locked_store(const Project& project, Log& log);

}  // namespace heddle::app
