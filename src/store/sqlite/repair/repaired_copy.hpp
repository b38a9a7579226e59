// Makes a copy that SQLite can open of a database that was truncated or has lost its first page, by
// deriving the content of that page from the others. Blocks.
#pragma once

#include <filesystem>

#include "base/result.hpp"
#include "store/sqlite/repair/database_copy.hpp"

namespace heddle::store {

struct RepairedCopy {
  // The schema was in the lost page: only tables that every such file has are known.
  bool has_lost_table_names = false;
};

// The damaged file is only read; its WAL is copied too. `copy` must not exist. `corrupt` when the
// tables cannot be located.
Result<RepairedCopy> make_repaired_copy(const std::filesystem::path& damaged,
                                        const std::filesystem::path& copy, DatabaseKind kind);

}  // namespace heddle::store
