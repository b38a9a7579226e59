// Creates and opens the file data/scripts.db.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "base/result.hpp"
#include "store/sqlite/core/connection.hpp"

namespace heddle::store {

// Creates a missing file; several processes may do so concurrently. Refuses files of other programs
// and newer versions.
Status make_script_file(const std::filesystem::path& file);

// Checks that the file is Heddle's and not newer than this program.
Status check_script_file(Connection& db);

// Opens an existing file for writing.
Result<std::unique_ptr<Connection>> open_script_file(const std::filesystem::path& file,
                                                     std::int64_t max_bytes);

}  // namespace heddle::store
