#include "process/tree/start_claim.hpp"

#include <cerrno>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

namespace heddle::process {

namespace {

constexpr std::chrono::milliseconds kPollInterval{2};
constexpr mode_t kOwnerOnly = 0600;

int open_file(const std::filesystem::path& file) {
  return open(file.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, kOwnerOnly);
}

bool has_size(int descriptor) {
  struct stat found {};
  return fstat(descriptor, &found) == 0 && found.st_size > 0;
}

}  // namespace

FileDescriptor open_start_claim(const std::filesystem::path& file) {
  FileDescriptor claim(open_file(file));
  if (!claim && errno == ENOENT) {
    mkdir(file.parent_path().c_str(), kOwnerOnly | S_IXUSR);
    claim = FileDescriptor(open_file(file));
  }
  if (claim && flock(claim.get(), LOCK_EX | LOCK_NB) != 0) claim.reset();
  return claim;
}

bool read_start_claim(const std::filesystem::path& file, std::chrono::milliseconds timeout) {
  const FileDescriptor claim(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!claim) return false;
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  while (!has_size(claim.get()) && flock(claim.get(), LOCK_EX | LOCK_NB) != 0 &&
         std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(kPollInterval);
  return has_size(claim.get());
}

}  // namespace heddle::process
