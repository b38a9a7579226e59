// Finds rows that reference missing rows, left by damage or a bug. Blocks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "store/sqlite/core/connection.hpp"

namespace heddle::store {

struct OrphanRows {
  std::string table;
  std::string of;  // the referenced table
  std::int64_t count = 0;
};

// Empty: no orphans. The file must have the current schema.
Result<std::vector<OrphanRows>> find_orphan_rows(Connection& db);

}  // namespace heddle::store
