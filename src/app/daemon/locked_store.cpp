#include "app/daemon/locked_store.hpp"

#include <utility>

#include "app/client/engine.hpp"

namespace heddle::app {

Result<LockedStore> open_locked_store(const Project& project, Log& log) {
  auto lock = ProjectLock::acquire_soon(project.data_dir, ProjectLock::Hold::brief);
  if (!lock) return std::move(lock).error();
  store::SqliteOptions options;
  options.log = &log;
  auto store = store::SqliteStore::open(database_file(project), options);
  if (!store) return std::move(store).error();
  return LockedStore{std::move(*lock), std::move(*store)};
}

}  // namespace heddle::app
