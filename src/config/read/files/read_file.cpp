#include "config/read/files/read_file.hpp"

#include <cerrno>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files/access_text.hpp"

namespace heddle::config {

namespace {

class FileHandle {
 public:
  explicit FileHandle(int fd) : fd_(fd) {}
  ~FileHandle() {
    if (fd_ >= 0) ::close(fd_);
  }
  FileHandle(const FileHandle&) = delete;
  FileHandle& operator=(const FileHandle&) = delete;
  [[nodiscard]] int fd() const { return fd_; }

 private:
  int fd_;
};

Error from_errno(const std::filesystem::path& file) {
  const int reason = errno;
  if (reason == ENOENT || reason == ENOTDIR) return {ErrorCode::not_found, "does not exist"};
  return {ErrorCode::unavailable, fmt::format("cannot be read: {}", access_text(file, reason))};
}

}  // namespace

Result<std::string> read_file(const std::filesystem::path& file, std::size_t max_bytes) {
  // Non-blocking, so that opening a pipe without a writer returns immediately.
  const FileHandle handle(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (handle.fd() < 0) return from_errno(file);
  struct stat facts {};
  if (::fstat(handle.fd(), &facts) != 0) return from_errno(file);
  if (!S_ISREG(facts.st_mode)) return Error{ErrorCode::bad_input, "is not a file"};

  std::string text;
  std::size_t used = 0;
  while (true) {
    text.resize(used + 65'536);
    const ssize_t got = ::read(handle.fd(), text.data() + used, text.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return from_errno(file);
    used += static_cast<std::size_t>(got);
    if (used > max_bytes)
      return Error{ErrorCode::bad_input, fmt::format("is larger than {} bytes", max_bytes)};
    if (got == 0) break;
  }
  text.resize(used);
  return text;
}

}  // namespace heddle::config
