// Removes temporary files of killed processes from a project. Blocks.
#pragma once

#include <filesystem>
#include <vector>

namespace heddle::app {

// Returns the removed files. Requires the project's lock: no process then writes a database copy.
// Drafts of scripts' files are removed when they are an hour old, because `heddle debug` and
// `heddle test` run without the lock.
std::vector<std::filesystem::path> sweep_temp_files(const std::filesystem::path& root,
                                                    const std::filesystem::path& data_dir);

}  // namespace heddle::app
