// Makes the folder of a new job. Blocks on the disk.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.hpp"

namespace heddle::config {

// Writes `file` ("jobs/shop/config.toml") below the project's root in a new folder, which appears
// complete or not at all. Fails with conflict when there is something with the folder's name.
Status make_job_folder(const std::filesystem::path& root, const std::filesystem::path& file,
                       const std::string& text);

}  // namespace heddle::config
