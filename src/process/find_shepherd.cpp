#include "process/find_shepherd.hpp"

#include <unistd.h>

namespace heddle::process {

Result<std::filesystem::path> find_shepherd() {
  std::error_code failed;
  const auto executable = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (failed) return Error{ErrorCode::unavailable, "/proc/self/exe: " + failed.message()};
  return find_shepherd_of(executable);
}

Result<std::filesystem::path> find_shepherd_of(const std::filesystem::path& executable) {
  const auto folder = executable.parent_path();
  for (const auto& candidate : {folder, folder / HEDDLE_LIBEXEC_FROM_BIN}) {
    const auto file = (candidate / "heddle-shepherd").lexically_normal();
    if (access(file.c_str(), X_OK) == 0) return file;
  }
  return Error{ErrorCode::not_found, "no heddle-shepherd beside " + executable.string()};
}

}  // namespace heddle::process
