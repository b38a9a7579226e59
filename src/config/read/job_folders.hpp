// What must hold for the folders of all jobs together.
#pragma once

#include <filesystem>
#include <vector>

#include "config/load_project.hpp"

namespace heddle::config {

// A job's scripts may read and write all below its folder: a job inside the folder of another one
// gets a problem.
void refuse_nested_folders(std::vector<LoadedJob>& jobs, const std::filesystem::path& root);

}  // namespace heddle::config
