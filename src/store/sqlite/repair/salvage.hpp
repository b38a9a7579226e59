// Saves the readable rows of a damaged database into a new one. Blocks.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "store/sqlite/repair/database_copy.hpp"

namespace heddle::store {

struct SavedTable {
  std::string name;
  std::int64_t saved = 0;
  std::optional<std::int64_t> lost{};  // nullopt: an unknown number
  std::int64_t rebuilt = 0;            // lost rows restored from other tables
};

// The damaged file is only read. The new one must not exist; when this returns it is complete and
// durable and has the tables of its kind at the damaged file's version. Fails when the schema
// cannot be read.
Result<std::vector<SavedTable>> salvage(const std::filesystem::path& damaged,
                                        const std::filesystem::path& saved, DatabaseKind kind);

}  // namespace heddle::store
