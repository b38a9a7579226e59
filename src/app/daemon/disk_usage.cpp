#include "app/daemon/disk_usage.hpp"

#include <cerrno>
#include <system_error>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <sys/stat.h>
#include <sys/statvfs.h>

namespace heddle::app {

namespace asio = boost::asio;
namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kBlockBytes = 512;  // the unit of st_blocks on every file system

std::int64_t bytes_of(const fs::path& file) {
  struct stat facts {};
  return lstat(file.c_str(), &facts) == 0 ? facts.st_blocks * kBlockBytes : 0;
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

namespace {

Result<struct statvfs> disk_under(const fs::path& folder) {
  struct statvfs facts {};
  if (statvfs(folder.c_str(), &facts) == 0) return facts;
  return Error{ErrorCode::unavailable, "cannot find out the size of the disk under " +
                                           folder.string() + ": " +
                                           std::generic_category().message(errno)};
}

}  // namespace

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

struct DiskUsage::Thread {
  asio::thread_pool pool{1};
};

DiskUsage::DiskUsage(fs::path folder)
    : folder_(std::move(folder)), thread_(std::make_unique<Thread>()) {}

DiskUsage::~DiskUsage() {
  thread_->pool.join();
}

Async<Result<std::int64_t>> DiskUsage::measure() {
  const auto measuring = [](fs::path folder) -> Async<Result<std::int64_t>> {
    co_return measure_folder(folder);
  };
  auto done = asio::co_spawn(thread_->pool, measuring(folder_), asio::use_awaitable);
  co_return co_await std::move(done);
}

Async<Status> DiskUsage::remove(fs::path folder) {
  const auto removing = [](fs::path gone) -> Async<Status> {
    std::error_code failed;
    fs::remove_all(gone, failed);
    if (!failed) co_return Done{};
    co_return Error{ErrorCode::unavailable,
                    "cannot delete " + gone.string() + ": " + failed.message()};
  };
  auto done = asio::co_spawn(thread_->pool, removing(std::move(folder)), asio::use_awaitable);
  co_return co_await std::move(done);
}

Async<std::vector<fs::path>> DiskUsage::sweep_temp_files(ProjectFolders project) {
  const auto sweeping = [](ProjectFolders swept) -> Async<std::vector<fs::path>> {
    co_return app::sweep_temp_files(swept);
  };
  auto done = asio::co_spawn(thread_->pool, sweeping(std::move(project)), asio::use_awaitable);
  co_return co_await std::move(done);
}

}  // namespace heddle::app
