// Copies a database while it is written to, and checks whether a copy is usable. Blocks.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "store/sqlite/core/connection.hpp"

namespace heddle::store {

// The engine's database or the scripts' database.
enum class DatabaseKind { engine, scripts };

struct CopyOptions {
  int pages_per_step = 2048;  // between two calls of `progress`
  std::function<void(std::int64_t done_bytes, std::int64_t all_bytes)> progress{};
  std::string vfs{};  // of the target; empty: the system's
};

// Copies a consistent snapshot. Writers are not blocked, but their WAL cannot shrink until the copy
// is done. The target must not exist; when this returns it is one durable file without a WAL.
Status copy_database(const std::filesystem::path& from, const std::filesystem::path& to,
                     const CopyOptions& options = {});

// Opens a database for reading, also in a read-only folder.
Result<std::unique_ptr<Connection>> open_for_reading(const std::filesystem::path& file);

// Returns up to `max` problems that SQLite finds; empty: none.
Result<std::vector<std::string>> find_damage(Connection& db, DatabaseKind kind,
                                             std::size_t max = 20);

// Checks that the file is undamaged, Heddle's, and of a version this program can use or upgrade.
Status check_database(const std::filesystem::path& file, DatabaseKind kind);

}  // namespace heddle::store
