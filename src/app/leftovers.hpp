// Temporary files that a process which was killed has left in a project. Blocks.
#pragma once

#include <filesystem>
#include <vector>

namespace heddle::app {

struct ProjectFolders {
  std::filesystem::path root;
  std::filesystem::path data_dir;
};

// Removes them and says which there were. Only while holding the project's lock: drafts of
// databases are nobody's then. Drafts of scripts' files go when they are an hour old: `heddle
// debug` and `heddle test` work without the lock.
std::vector<std::filesystem::path> sweep_leftovers(const ProjectFolders& project);

}  // namespace heddle::app
