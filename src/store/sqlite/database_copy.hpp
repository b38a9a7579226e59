// Copies of a database, taken while it is written to, and whether one is fit to be used. Blocks.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "store/sqlite/connection.hpp"

namespace heddle::store {

// A file of Heddle: all that is known, or what scripts keep.
enum class DatabaseKind { engine, scripts };

struct CopyOptions {
  int pages_at_once = 2048;  // between two calls of `progress`
  std::function<void(std::int64_t done_bytes, std::int64_t all_bytes)> progress{};
  std::string vfs{};  // of the target; empty: the system's
};

// The database as it is at one moment, however much is written meanwhile; writers are not held up,
// but their log cannot shrink until the copy is done. The target must not exist. When this returns
// it is one file without a log beside it, and on the disk.
Status copy_database(const std::filesystem::path& from, const std::filesystem::path& to,
                     const CopyOptions& options = {});

// For reading, also in a folder that cannot be written.
Result<std::unique_ptr<Connection>> open_for_reading(const std::filesystem::path& file);

// What SQLite finds wrong with the file, at most so many; empty: nothing.
Result<std::vector<std::string>> find_damage(Connection& db, DatabaseKind kind,
                                             std::size_t max = 20);

// Whole, of Heddle, and of a version that this program can use or upgrade.
Status check_database(const std::filesystem::path& file, DatabaseKind kind);

}  // namespace heddle::store
