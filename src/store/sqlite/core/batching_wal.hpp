// Batches the WAL writes of the writing connection: SQLite hands over two small writes per page,
// this VFS writes those of a transaction at once. Nothing stays buffered between transactions,
// because every commit ends with a sync; the connection therefore needs synchronous=FULL.
//
// Registers itself with SQLite while it exists; must outlive the connections opened through it,
// each of which belongs to one thread.
#pragma once

#include <memory>
#include <string>

#include <sqlite3.h>

#include "base/result.hpp"

namespace heddle::store {

class BatchingWal {
 public:
  // On top of the named VFS; empty: the default one.
  static Result<std::unique_ptr<BatchingWal>> over(const std::string& vfs);
  ~BatchingWal();
  BatchingWal(const BatchingWal&) = delete;
  BatchingWal& operator=(const BatchingWal&) = delete;

  [[nodiscard]] const std::string& vfs() const { return name_; }

 private:
  struct File;  // SQLite's handle of an open WAL
  struct Methods;

  explicit BatchingWal(sqlite3_vfs* real);

  std::string name_;
  sqlite3_vfs* real_;
  sqlite3_vfs vfs_{};
};

}  // namespace heddle::store
