// Finds `heddle-shepherd` in the build folder: test programs are in other folders.
#pragma once

#include <filesystem>

namespace heddle::testing {

inline std::filesystem::path shepherd_file() {
  auto folder = std::filesystem::read_symlink("/proc/self/exe");
  while (folder.has_relative_path()) {
    folder = folder.parent_path();
    if (std::filesystem::exists(folder / "heddle-shepherd")) return folder / "heddle-shepherd";
  }
  return "heddle-shepherd-was-not-built";
}

}  // namespace heddle::testing
