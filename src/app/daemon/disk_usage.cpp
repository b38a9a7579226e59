#include "app/daemon/disk_usage.hpp"

#include <algorithm>
#include <cerrno>
#include <set>
#include <system_error>

#include <sys/stat.h>
#include <sys/statvfs.h>

namespace heddle::app {

namespace fs = std::filesystem;

namespace {

// For the database, its log and the lock of a starting daemon.
constexpr std::int64_t kNeededToStart = 1 << 20;
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

std::vector<fs::path> storage_folders(const Project& project) {
  std::set<fs::path> folders{project.data_dir.lexically_normal(),
                             (project.root / "shared").lexically_normal()};
  for (const Job& job : project.jobs)
    if (!job.scripts.files.empty() && !job.directory.empty())
      folders.insert(job.directory.lexically_normal());
  std::vector<fs::path> outer;  // sorted: a folder comes right before those inside it
  for (const fs::path& folder : folders) {
    const bool is_inside = !outer.empty() && std::mismatch(outer.back().begin(), outer.back().end(),
                                                           folder.begin(), folder.end())
                                                     .first == outer.back().end();
    if (!is_inside) outer.push_back(folder);
  }
  return outer;
}

Result<std::int64_t> measure_folders(const std::vector<fs::path>& folders) {
  std::int64_t bytes = 0;
  for (const fs::path& folder : folders) {
    std::error_code unknown;
    if (!fs::exists(folder, unknown)) continue;
    const auto measured = measure_folder(folder);
    if (!measured) return measured;
    bytes += *measured;
  }
  return bytes;
}

bool is_disk_full(const fs::path& folder) {
  const auto free = disk_free(folder);
  return free && *free < kNeededToStart;
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
