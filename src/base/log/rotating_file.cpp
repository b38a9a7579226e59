#include "base/log/rotating_file.hpp"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "base/files/access_text.hpp"
#include "base/files/private_files.hpp"

namespace heddle {

namespace {

constexpr int kTries = 100;  // each fails when another process rotates between open and lock

Error failure(std::string_view action, std::string_view name, int error) {
  return {ErrorCode::unavailable, "cannot " + std::string(action) + " " + std::string(name) + ": " +
                                      std::generic_category().message(error)};
}

// Excludes other processes and threads from appending and rotating.
class FileLock {
 public:
  explicit FileLock(int file) : file_(file) {
    while (flock(file_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  ~FileLock() { flock(file_, LOCK_UN); }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int file_;
};

bool is_still_named(const AppendTarget& target, const struct stat& file) {
  struct stat named {};
  return fstatat(target.folder, target.name.c_str(), &named, 0) == 0 &&
         named.st_dev == file.st_dev && named.st_ino == file.st_ino;
}

Status rotate(const AppendTarget& target, int keep) {
  const auto old_name = [&](int age) { return target.name + "." + std::to_string(age); };
  for (int age = keep - 1; age >= 1; --age)  // missing files are fine
    (void)renameat(target.folder, old_name(age).c_str(), target.folder, old_name(age + 1).c_str());
  const int done =
      keep > 0 ? renameat(target.folder, target.name.c_str(), target.folder, old_name(1).c_str())
               : unlinkat(target.folder, target.name.c_str(), 0);
  if (done != 0) return failure("rotate", target.name, errno);
  return Done{};
}

int write_all(int file, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = write(file, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

// False: the file was rotated and must be opened again.
Result<bool> append_locked(const AppendTarget& target, const Rotation& rotation,
                           std::string_view content, int file) {
  const FileLock lock(file);
  struct stat facts {};
  if (fstat(file, &facts) != 0) return failure("inspect", target.name, errno);
  if (!is_still_named(target, facts)) return false;
  const auto size = static_cast<std::uint64_t>(facts.st_size);
  if (size > 0 && size + content.size() > rotation.max_bytes) {
    if (auto done = rotate(target, rotation.keep); !done) return std::move(done).error();
    return false;
  }
  const int error = write_all(file, content);
  if (error == 0) return true;
  (void)ftruncate(file, facts.st_size);  // removes the partial line
  return failure("append to", target.name, error);
}

}  // namespace

Status append_rotating(const AppendTarget& target, const Rotation& rotation,
                       std::string_view content, FileDescriptor& file) {
  for (int i = 0; i < kTries; ++i) {
    if (!file) {
      auto opened = target.open();
      if (!opened) return std::move(opened).error();
      file = std::move(*opened);
    }
    auto appended = append_locked(target, rotation, content, file.get());
    if (!appended || !*appended) file.reset();
    if (!appended) return std::move(appended).error();
    if (*appended) return Done{};
  }
  return Error{ErrorCode::unavailable,
               "cannot append to " + target.name + ": other processes rotate it again and again"};
}

Status RotatingFile::open_folder() {
  const auto folder = path_.has_parent_path() ? path_.parent_path() : ".";
  make_private_folders(folder);
  folder_ = FileDescriptor(open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!folder_) return failure("open the folder of", path_.string(), errno);
  return Done{};
}

void RotatingFile::set_rotation(Rotation rotation) {
  const std::lock_guard lock(mutex_);
  rotation_ = rotation;
}

Status RotatingFile::append(std::string_view line) {
  std::string whole(line);
  if (!whole.ends_with('\n')) whole += '\n';
  const std::lock_guard lock(mutex_);
  AppendTarget target;
  target.name = path_.filename().string();
  target.open = [&]() -> Result<FileDescriptor> {
    FileDescriptor file(openat(target.folder, target.name.c_str(),
                               O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK,
                               kPrivateFile));
    if (!file)
      return Error{ErrorCode::unavailable,
                   "cannot open " + path_.string() + ": " + access_text(path_, errno)};
    return file;
  };
  Status done;
  for (int i = 0; i < 2; ++i) {  // twice: the folder may have been removed
    if (!folder_)
      if (auto opened = open_folder(); !opened) return opened;
    target.folder = folder_.get();
    done = append_rotating(target, rotation_, whole, file_);
    if (done) return done;
    folder_.reset();
  }
  return done;
}

}  // namespace heddle
