// The store of a project while no daemon runs: opened under the project's lock.
#pragma once

#include <memory>

#include "app/project_lock.hpp"
#include "base/log.hpp"
#include "base/result.hpp"
#include "model/job.hpp"
#include "store/sqlite/sqlite_store.hpp"

namespace heddle::app {

struct OwnedStore {
  ProjectLock lock;  // released last
  std::unique_ptr<store::SqliteStore> store;
};

// `conflict` when another heddle works on the project.
Result<OwnedStore> own_store(const Project& project, Log& log);

}  // namespace heddle::app
