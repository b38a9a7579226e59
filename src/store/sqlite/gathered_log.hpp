// A disk for the connection that writes: SQLite hands its log over in two small writes per page,
// and here those of a transaction become one. Nothing is held back between transactions: a commit
// ends with a sync, before anybody else is told of it. So that connection needs synchronous=FULL.
//
// Registers itself with SQLite while it lives; must outlive the connections opened through it, each
// of which belongs to one thread.
#pragma once

#include <memory>
#include <string>

#include <sqlite3.h>

#include "base/result.hpp"

namespace heddle::store {

class GatheredLog {
 public:
  // Over the disk of that name; empty: the usual one.
  static Result<std::unique_ptr<GatheredLog>> over(const std::string& vfs);
  ~GatheredLog();
  GatheredLog(const GatheredLog&) = delete;
  GatheredLog& operator=(const GatheredLog&) = delete;

  [[nodiscard]] const std::string& vfs() const { return name_; }

 private:
  struct File;  // what SQLite holds of an open log
  struct Methods;

  explicit GatheredLog(sqlite3_vfs* real);

  std::string name_;
  sqlite3_vfs* real_;
  sqlite3_vfs vfs_{};
};

}  // namespace heddle::store
