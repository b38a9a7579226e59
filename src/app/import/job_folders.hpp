// Copies folders of jobs and compares them. Symbolic links are not followed. Blocks.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace heddle::app {

// The names of the folders below `jobs` that hold a config.toml, sorted. What is left out is added
// to `skipped`, with the reason.
Result<std::vector<std::string>> find_job_folders(const std::filesystem::path& jobs,
                                                  std::vector<std::string>& skipped);

// Copies the files of `from` into the new folder `to`. Adds what is neither a file nor a folder to
// `skipped`; `name` is how `from` is called there.
Status copy_job_folder(const std::filesystem::path& from, const std::filesystem::path& to,
                       const std::string& name, std::vector<std::string>& skipped);

Status copy_plain_file(const std::filesystem::path& from, const std::filesystem::path& to);

// True when `folder` has every file of `original` with the same content; it may have others.
bool has_all_files_of(const std::filesystem::path& original, const std::filesystem::path& folder);

bool is_same_file(const std::filesystem::path& one, const std::filesystem::path& other);

}  // namespace heddle::app
