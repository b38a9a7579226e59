// A copy of a database that was cut short, or has lost its first page, which SQLite will open: what
// that page said is found out from the others. Blocks.
#pragma once

#include <filesystem>

#include "base/result.hpp"
#include "store/sqlite/database_copy.hpp"

namespace heddle::store {

struct MendedCopy {
  // The list of tables was in the lost page: only those that every such file has are known.
  bool has_lost_table_names = false;
};

// The damaged file is only read; its log is copied along. `copy` must not exist. `corrupt` when
// nothing tells where the tables are.
Result<MendedCopy> make_mended_copy(const std::filesystem::path& damaged,
                                    const std::filesystem::path& copy, DatabaseKind kind);

}  // namespace heddle::store
