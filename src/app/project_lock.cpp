#include "app/project_lock.hpp"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/restore_plan.hpp"

namespace heddle::app {

namespace {

int read_pid(int descriptor) {
  char text[32] = {};
  if (pread(descriptor, text, sizeof text - 1, 0) <= 0) return 0;
  return static_cast<int>(std::strtol(text, nullptr, 10));
}

void write_pid(int descriptor) {
  const std::string text = std::to_string(getpid()) + "\n";
  // Only a courtesy to whoever waits: the lock itself does not depend on it.
  if (ftruncate(descriptor, 0) != 0 || pwrite(descriptor, text.data(), text.size(), 0) < 0) return;
}

int lock_and_retry(int descriptor, int operation) {
  int answer = 0;
  do {
    answer = flock(descriptor, operation);
  } while (answer != 0 && errno == EINTR);
  return answer;
}

// Pages, cookies and keys are nobody else's business. A folder that is there already keeps the
// rights its owner gave it. A failure shows when the lock file is opened.
void make_private_folder(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder.parent_path(), failed);
  mkdir(folder.c_str(), 0700);
}

}  // namespace

Result<ProjectLock> ProjectLock::open(const std::filesystem::path& data_dir) {
  make_private_folder(data_dir);
  const auto file = data_dir / "heddle.lock";
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor < 0)
    return Error{ErrorCode::unavailable,
                 fmt::format("cannot write to {}: {}; check the folder's owner and free space, or "
                             "move it with `data_dir`",
                             file.string(), std::generic_category().message(errno))};
  return ProjectLock(descriptor);
}

Result<bool> ProjectLock::take(int operation) {
  if (lock_and_retry(descriptor_, operation) == 0) {
    write_pid(descriptor_);
    return true;
  }
  if (errno == EWOULDBLOCK) return false;
  return Error{ErrorCode::unavailable,
               fmt::format("cannot lock heddle.lock: {}", std::generic_category().message(errno))};
}

Result<ProjectLock> ProjectLock::acquire(const std::filesystem::path& data_dir,
                                         const std::function<void(int pid)>& on_wait) {
  auto lock = open(data_dir);
  if (!lock) return lock;
  auto taken = lock->take(LOCK_EX | LOCK_NB);
  if (taken && !*taken) {
    on_wait(read_pid(lock->descriptor_));
    taken = lock->take(LOCK_EX);
  }
  if (!taken) return std::move(taken).error();
  if (auto finished = finish_restore(data_dir); !finished) return std::move(finished).error();
  return lock;
}

Result<ProjectLock> ProjectLock::try_acquire(const std::filesystem::path& data_dir) {
  auto lock = open(data_dir);
  if (!lock) return lock;
  auto taken = lock->take(LOCK_EX | LOCK_NB);
  if (!taken) return std::move(taken).error();
  if (!*taken)
    return Error{ErrorCode::conflict,
                 fmt::format("another heddle (pid {}) works on this project: `heddle status` shows "
                             "it, `kill {}` ends it",
                             read_pid(lock->descriptor_), read_pid(lock->descriptor_))};
  if (auto finished = finish_restore(data_dir); !finished) return std::move(finished).error();
  return lock;
}

Status settle_restore(const std::filesystem::path& data_dir) {
  if (!is_restore_unfinished(data_dir)) return Done{};
  auto lock = ProjectLock::try_acquire(data_dir);
  if (lock || lock.error().code != ErrorCode::conflict) {
    if (!lock) return std::move(lock).error();
    return Done{};
  }
  if (!is_restore_unfinished(data_dir)) return Done{};
  return Error{ErrorCode::conflict, "a backup is being restored: try again in a moment"};
}

ProjectLock::ProjectLock(ProjectLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

ProjectLock::~ProjectLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace heddle::app
