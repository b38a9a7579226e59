// The file data/scripts.db: how it is made and opened.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "base/result.hpp"
#include "store/sqlite/connection.hpp"

namespace heddle::store {

// Makes the file when it is missing; several processes may do so at once. Refuses files of other
// programs and of newer versions.
Status make_script_file(const std::filesystem::path& file);

// Heddle's own, and not newer than this program.
Status check_script_file(Connection& db);

// Opens a made file for writing.
Result<std::unique_ptr<Connection>> open_script_file(const std::filesystem::path& file,
                                                     std::int64_t max_bytes);

}  // namespace heddle::store
