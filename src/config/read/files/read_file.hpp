// Reads whole text files with a cap on their size. Blocks.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "base/result.hpp"

namespace heddle::config {

// Only regular files (symbolic links to them included), so that a pipe or device cannot block or
// flood the loader. Errors are not_found, unavailable or bad_input; messages leave out the path.
Result<std::string> read_file(const std::filesystem::path& file, std::size_t max_bytes);

}  // namespace heddle::config
