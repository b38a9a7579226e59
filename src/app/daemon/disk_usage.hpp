// Measures and removes folders. Blocks.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "base/result.hpp"
#include "model/job/job.hpp"

namespace heddle::app {

// Tolerates files that appear or vanish meanwhile. Does not follow links; a file with
// several names counts once per name.
Result<std::int64_t> measure_folder(const std::filesystem::path& folder);

// The folders that count for `limits.storage`: data, and where scripts write with fs_*. None is
// inside another.
std::vector<std::filesystem::path> storage_folders(const Project& project);
// Their sum; missing folders are empty.
Result<std::int64_t> measure_folders(const std::vector<std::filesystem::path>& folders);

// Too full for a daemon to start.
bool is_disk_full(const std::filesystem::path& folder);

// Of the file system that holds the folder.
Result<std::int64_t> disk_size(const std::filesystem::path& folder);
Result<std::int64_t> disk_free(const std::filesystem::path& folder);  // for users other than root

// Deletes a folder with its content.
Status remove_folder(const std::filesystem::path& folder);

}  // namespace heddle::app
