// Measures and removes folders. Blocks.
#pragma once

#include <cstdint>
#include <filesystem>

#include "base/result.hpp"

namespace heddle::app {

// Tolerates files that appear or vanish meanwhile. Does not follow links; a file with
// several names counts once per name.
Result<std::int64_t> measure_folder(const std::filesystem::path& folder);

// Of the file system that holds the folder.
Result<std::int64_t> disk_size(const std::filesystem::path& folder);
Result<std::int64_t> disk_free(const std::filesystem::path& folder);  // for users other than root

// Deletes a folder with its content.
Status remove_folder(const std::filesystem::path& folder);

}  // namespace heddle::app
