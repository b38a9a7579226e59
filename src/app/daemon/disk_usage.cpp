#include "app/daemon/disk_usage.hpp"

#include <cerrno>
#include <system_error>

#include <sys/stat.h>
#include <sys/statvfs.h>

namespace heddle::app {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kBlockBytes = 512;  // the unit of st_blocks on every file system

std::int64_t bytes_of(const fs::path& file) {
  struct stat facts {};
  return lstat(file.c_str(), &facts) == 0 ? facts.st_blocks * kBlockBytes : 0;
}

Result<struct statvfs> disk_under(const fs::path& folder) {
  struct statvfs facts {};
  if (statvfs(folder.c_str(), &facts) == 0) return facts;
  return Error{ErrorCode::unavailable, "cannot find out the size of the disk under " +
                                           folder.string() + ": " +
                                           std::generic_category().message(errno)};
}

}  // namespace

Result<std::int64_t> measure_folder(const fs::path& folder) {
  std::error_code failed;
  fs::recursive_directory_iterator entries(folder, fs::directory_options::skip_permission_denied,
                                           failed);
  if (failed)
    return Error{ErrorCode::unavailable,
                 "cannot look into " + folder.string() + ": " + failed.message()};
  std::int64_t bytes = 0;
  while (entries != fs::recursive_directory_iterator()) {
    bytes += bytes_of(entries->path());
    entries.increment(failed);
    if (failed) break;  // the folder changed meanwhile; the next measurement is complete
  }
  return bytes;
}

Result<std::int64_t> disk_size(const fs::path& folder) {
  const auto disk = disk_under(folder);
  if (!disk) return disk.error();
  return static_cast<std::int64_t>(disk->f_blocks * disk->f_frsize);
}

Result<std::int64_t> disk_free(const fs::path& folder) {
  const auto disk = disk_under(folder);
  if (!disk) return disk.error();
  return static_cast<std::int64_t>(disk->f_bavail * disk->f_frsize);
}

Status remove_folder(const fs::path& folder) {
  std::error_code failed;
  fs::remove_all(folder, failed);
  if (!failed) return Done{};
  return Error{ErrorCode::unavailable,
               "cannot delete " + folder.string() + ": " + failed.message()};
}

}  // namespace heddle::app
