// Checks the folders of all jobs against each other.
#pragma once

#include <filesystem>
#include <vector>

#include "config/load_project.hpp"

namespace heddle::config {

// A job's scripts may read and write everything below its folder, so a job inside the folder of
// another one is an error.
void refuse_nested_folders(std::vector<LoadedJob>& jobs, const std::filesystem::path& root);

}  // namespace heddle::config
