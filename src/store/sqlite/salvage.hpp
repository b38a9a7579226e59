// Saves what can be read of a damaged database, row by row, into a new one. Blocks.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "store/sqlite/database_copy.hpp"

namespace heddle::store {

struct SavedTable {
  std::string name;
  std::int64_t saved = 0;
  std::optional<std::int64_t> lost{};  // nullopt: some, but nobody knows how many
  std::int64_t rebuilt = 0;            // of those lost, from what other tables say
};

// The damaged file is only read. The new one must not exist; when this returns it is whole, on the
// disk, and has the tables of its kind, as far as the damaged file's version goes. Fails when not
// even the list of tables can be read.
Result<std::vector<SavedTable>> salvage(const std::filesystem::path& damaged,
                                        const std::filesystem::path& saved, DatabaseKind kind);

}  // namespace heddle::store
