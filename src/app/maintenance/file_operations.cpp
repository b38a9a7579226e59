#include "app/maintenance/file_operations.hpp"

#include <cerrno>
#include <cstdio>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "base/file_descriptor.hpp"

namespace heddle::app {

namespace fs = std::filesystem;

Error cannot(std::string_view what, const fs::path& path, int error) {
  return {ErrorCode::unavailable, fmt::format("cannot {} {}: {}", what, path.string(),
                                              std::generic_category().message(error))};
}

bool path_exists(const fs::path& path) {
  std::error_code failure;
  return fs::exists(fs::symlink_status(path, failure));
}

fs::path with_suffix(const fs::path& path, std::string_view suffix) {
  fs::path name = path;
  name += suffix;
  return name;
}

Status rename_to(const fs::path& from, const fs::path& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0) return cannot("rename", from, errno);
  return Done{};
}

Status link_to(const fs::path& from, const fs::path& to) {
  if (link(from.c_str(), to.c_str()) != 0) return cannot("keep a copy of", from, errno);
  return Done{};
}

Status remove_file(const fs::path& file) {
  if (unlink(file.c_str()) != 0) return cannot("remove", file, errno);
  return Done{};
}

Status write_durably(const fs::path& file, std::string_view text) {
  const FileDescriptor open_file(
      open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!open_file) return cannot("write", file, errno);
  const ssize_t written = write(open_file.get(), text.data(), text.size());
  if (written < 0) return cannot("write", file, errno);
  if (static_cast<std::size_t>(written) != text.size()) return cannot("write", file, ENOSPC);
  if (fsync(open_file.get()) != 0) return cannot("sync", file, errno);
  return Done{};
}

Status sync_folder(const fs::path& folder) {
  const FileDescriptor open_folder(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!open_folder || fsync(open_folder.get()) != 0) return cannot("sync", folder, errno);
  return Done{};
}

}  // namespace heddle::app
