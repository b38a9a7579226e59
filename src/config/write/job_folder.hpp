// Makes the folder of a new job and replaces the file of one. Blocks on the disk.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.hpp"

namespace heddle::config {

// Writes `file` ("jobs/shop/config.toml") below the project's root in a new folder, which appears
// complete or not at all. Fails with conflict when there is something with the folder's name.
Status make_job_folder(const std::filesystem::path& root, const std::filesystem::path& file,
                       const std::string& text);

Result<std::string> read_job_file(const std::filesystem::path& file);
// Readers see the old text or the new one. Fails with conflict when the file is not as it was read.
Status replace_job_file(const std::filesystem::path& file, const std::string& before,
                        const std::string& after);

}  // namespace heddle::config
