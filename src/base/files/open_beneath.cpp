#include "base/files/open_beneath.hpp"

#include <cerrno>
#include <string_view>

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>

#include "base/text.hpp"

namespace heddle {

namespace {

// The kernel returns EAGAIN when folders are renamed while it resolves "..".
constexpr int kTries = 1000;

bool has_no_openat2(int error) {
  return error == ENOSYS || error == EPERM;  // EPERM: filters of older containers
}

Opened opened(int number) {
  return number >= 0 ? Opened{FileDescriptor(number), 0} : Opened{FileDescriptor(), errno};
}

// O_NOFOLLOW together with O_DIRECTORY reports a link as "not a directory".
Opened open_folder(int parent, const std::string& name) {
  Opened folder =
      opened(openat(parent, name.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (folder.error != ENOTDIR) return folder;
  const Opened link = opened(openat(parent, name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
  char target = 0;
  if (link.file && readlinkat(link.file.get(), "", &target, 1) >= 0) folder.error = ELOOP;
  return folder;
}

}  // namespace

Opened open_beneath(int root, const std::string& path, int flags, mode_t mode) {
  open_how how{};
  how.flags = static_cast<unsigned>(flags | O_CLOEXEC);
  how.mode = (flags & O_CREAT) != 0 ? mode : 0;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  for (int i = 0; i < kTries; ++i) {
    const long number = syscall(SYS_openat2, root, path.c_str(), &how, sizeof how);
    if (number >= 0) return {FileDescriptor(static_cast<int>(number)), 0};
    if (has_no_openat2(errno)) return open_beneath_stepwise(root, path, flags, mode);
    if (errno != EAGAIN && errno != EINTR) return {FileDescriptor(), errno};
  }
  return {FileDescriptor(), EAGAIN};
}

Opened open_beneath_stepwise(int root, const std::string& path, int flags, mode_t mode) {
  if (path.starts_with('/')) return {FileDescriptor(), EXDEV};
  Opened folder{FileDescriptor(), 0};
  int parent = root;
  std::string last = ".";
  for (const std::string_view part : split(path, '/')) {
    if (part.empty() || part == ".") continue;
    if (part == "..") return {FileDescriptor(), EXDEV};
    if (last != ".") {
      folder = open_folder(parent, last);
      if (!folder.file) return folder;
      parent = folder.file.get();
    }
    last = part;
  }
  return opened(openat(parent, last.c_str(), flags | O_NOFOLLOW | O_CLOEXEC, mode));
}

}  // namespace heddle
