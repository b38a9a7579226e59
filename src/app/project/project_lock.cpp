#include "app/project/project_lock.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/maintenance/restore_plan.hpp"
#include "base/files/access_text.hpp"
#include "base/files/private_files.hpp"

namespace heddle::app {

namespace {

constexpr std::chrono::seconds kBriefHolderTimeout{5};  // wait for a brief holder
constexpr std::chrono::milliseconds kBetweenTries{20};
constexpr std::string_view kBriefly = " briefly";

std::filesystem::path lock_file(const std::filesystem::path& data_dir) {
  return data_dir / "heddle.lock";
}

struct Holder {
  int pid = 0;  // 0: unknown, it has not written its pid yet
  bool is_brief = false;
};

// A pid left by a dead holder must not be reported as the current one.
bool is_alive(int pid) {
  return pid > 0 && (kill(pid, 0) == 0 || errno == EPERM);
}

Holder read_holder(int descriptor) {
  char text[32] = {};
  if (pread(descriptor, text, sizeof text - 1, 0) <= 0) return {};
  char* rest = nullptr;
  Holder holder;
  holder.pid = static_cast<int>(std::strtol(text, &rest, 10));
  if (!is_alive(holder.pid)) return {};
  holder.is_brief = std::string_view(rest).starts_with(kBriefly);
  return holder;
}

// Information for waiting processes only: the lock does not depend on it, so failures are ignored.
void write_holder(int descriptor, ProjectLock::Hold hold) {
  std::string text = std::to_string(getpid());
  if (hold == ProjectLock::Hold::brief) text += kBriefly;
  text += "\n";
  if (ftruncate(descriptor, 0) != 0 || pwrite(descriptor, text.data(), text.size(), 0) < 0) return;
}

// Of the first byte: the kernel names its owner, without any space on the disk.
struct flock record_lock(int type) {
  struct flock lock {};
  lock.l_type = static_cast<short>(type);
  lock.l_whence = SEEK_SET;
  lock.l_len = 1;
  return lock;
}

std::optional<int> read_waiting_holder(int descriptor) {
  struct flock lock = record_lock(F_WRLCK);
  const bool is_held = fcntl(descriptor, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
  return is_held && lock.l_pid > 0 ? std::optional<int>(lock.l_pid) : std::nullopt;
}

Error held_by(const Holder& holder) {
  if (holder.pid == 0)
    return {ErrorCode::conflict,
            "another heddle process is using this project: try again in a moment; `heddle status` "
            "shows a daemon"};
  if (holder.is_brief)
    return {
        ErrorCode::conflict,
        fmt::format(
            "another heddle process (pid {}) is using this project: try again when it has ended",
            holder.pid)};
  return {ErrorCode::conflict,
          fmt::format(
              "another heddle process (pid {}) is using this project: `heddle status` shows it; "
              "`heddle down` ends a daemon, otherwise {}",
              holder.pid, stop_advice(holder.pid))};
}

int lock_and_retry(int descriptor, int operation) {
  int answer = 0;
  do {
    answer = flock(descriptor, operation);
  } while (answer != 0 && errno == EINTR);
  return answer;
}

int open_folder(const std::filesystem::path& folder) {
  return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

bool is_locked(int descriptor) {
  return lock_and_retry(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

}  // namespace

Result<ProjectLock> ProjectLock::open(const std::filesystem::path& data_dir) {
  make_private_folders(data_dir);  // opening the lock file reports a failure
  const auto file = lock_file(data_dir);
  FileDescriptor descriptor(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kPrivateFile));
  if (!descriptor)
    return Error{ErrorCode::unavailable,
                 fmt::format("cannot write to {}: {}; check the folder's owner and free space, or "
                             "move it with `data_dir`",
                             file.string(), access_text(file, errno))};
  return ProjectLock(std::move(descriptor), FileDescriptor(open_folder(data_dir)));
}

// Users may remove the file while it is locked, but not a folder with a database in it. Where
// folders cannot be locked (some network file systems), the file alone counts.
Result<bool> ProjectLock::try_lock(int operation, Hold hold) {
  if (lock_and_retry(file_.get(), operation) != 0) {
    if (errno == EWOULDBLOCK) return false;
    return Error{ErrorCode::unavailable, fmt::format("cannot lock heddle.lock: {}",
                                                     std::generic_category().message(errno))};
  }
  if (lock_and_retry(folder_.get(), operation) != 0 && errno == EWOULDBLOCK) {
    lock_and_retry(file_.get(), LOCK_UN);
    return false;
  }
  is_held_ = true;
  write_holder(file_.get(), hold);
  return true;
}

void ProjectLock::rewrite_holder(const std::filesystem::path& data_dir) const {
  const FileDescriptor file(
      ::open(lock_file(data_dir).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kPrivateFile));
  if (file && read_holder(file.get()).pid != getpid()) write_holder(file.get(), Hold::lasting);
}

Result<ProjectLock> ProjectLock::acquire_with(const std::filesystem::path& data_dir, Hold hold,
                                              const Wait& wait) {
  auto lock = open(data_dir);
  if (!lock) return lock;
  auto acquired = lock->try_lock(LOCK_EX | LOCK_NB, hold);
  if (acquired && !*acquired) acquired = wait(*lock);
  if (!acquired) return std::move(acquired).error();
  if (!*acquired) {
    const auto waiting = read_waiting_holder(lock->file_.get());
    return waiting ? waits_for_space(*waiting, data_dir) : held_by(read_holder(lock->file_.get()));
  }
  if (auto finished = finish_restore(data_dir); !finished) return std::move(finished).error();
  return lock;
}

Result<ProjectLock> ProjectLock::acquire(const std::filesystem::path& data_dir,
                                         const std::function<void(int pid)>& on_wait) {
  return acquire_with(data_dir, Hold::lasting, [&on_wait](ProjectLock& lock) {
    on_wait(read_holder(lock.file_.get()).pid);
    return lock.try_lock(LOCK_EX, Hold::lasting);
  });
}

Result<ProjectLock> ProjectLock::try_acquire(const std::filesystem::path& data_dir) {
  return acquire_with(data_dir, Hold::lasting, [](const ProjectLock&) { return false; });
}

Result<ProjectLock> ProjectLock::acquire_soon(const std::filesystem::path& data_dir, Hold hold) {
  return acquire_with(data_dir, hold, [hold](ProjectLock& lock) -> Result<bool> {
    const auto deadline = std::chrono::steady_clock::now() + kBriefHolderTimeout;
    while (true) {
      const Holder holder = read_holder(lock.file_.get());
      const bool is_worth_waiting = holder.pid == 0 || holder.is_brief;
      const bool is_waiting = read_waiting_holder(lock.file_.get()).has_value();
      if (!is_worth_waiting || is_waiting || std::chrono::steady_clock::now() >= deadline)
        return false;
      std::this_thread::sleep_for(kBetweenTries);
      auto acquired = lock.try_lock(LOCK_EX | LOCK_NB, hold);
      if (!acquired || *acquired) return acquired;
    }
  });
}

std::optional<int> ProjectLock::lasting_holder(const std::filesystem::path& data_dir) {
  const FileDescriptor file(::open(lock_file(data_dir).c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return std::nullopt;
  const Holder holder = read_holder(file.get());
  if (holder.pid == 0 || holder.is_brief) return std::nullopt;
  // A killed holder leaves its pid, which another process may have by now.
  const FileDescriptor folder(open_folder(data_dir));
  const bool is_held = is_locked(file.get()) || is_locked(folder.get());
  return is_held ? std::optional(holder.pid) : std::nullopt;
}

std::optional<int> ProjectLock::holder_waiting_for_space(const std::filesystem::path& data_dir) {
  const FileDescriptor file(::open(lock_file(data_dir).c_str(), O_RDONLY | O_CLOEXEC));
  return file ? read_waiting_holder(file.get()) : std::nullopt;
}

// Ignores failures: the lock does not depend on it.
void ProjectLock::set_waits_for_space(bool waits) const {
  struct flock lock = record_lock(waits ? F_WRLCK : F_UNLCK);
  fcntl(file_.get(), F_SETLK, &lock);
}

bool ProjectLock::is_found_in(const std::filesystem::path& data_dir) const {
  struct stat ours {};
  struct stat there {};
  return fstat(folder_.get(), &ours) == 0 && stat(data_dir.c_str(), &there) == 0 &&
         ours.st_ino == there.st_ino && ours.st_dev == there.st_dev;
}

// Pid 1 here is the init process: either the holder runs in another pid namespace, or killing it
// would end everything.
std::string stop_advice(int pid) {
  if (pid == 1) return "stopping its container ends it";
  return fmt::format("`kill {}` ends it", pid);
}

Error waits_for_space(int pid, const std::filesystem::path& data_dir) {
  return {ErrorCode::conflict,
          fmt::format("heddle (pid {}) waits for space on the disk of {} and starts when there is "
                      "some; {}",
                      pid, data_dir.string(), stop_advice(pid))};
}

Status finish_interrupted_restore(const std::filesystem::path& data_dir) {
  if (!is_restore_unfinished(data_dir)) return Done{};
  auto lock = ProjectLock::try_acquire(data_dir);
  if (!lock && lock.error().code != ErrorCode::conflict) return std::move(lock).error();
  if (lock || !is_restore_unfinished(data_dir)) return Done{};
  return Error{ErrorCode::conflict, "a backup is being restored: try again in a moment"};
}

ProjectLock::~ProjectLock() {
  // The next holder has the lock shortly before it writes its pid and must not be reported as us. A
  // process that was refused leaves the holder's pid.
  if (file_ && is_held_) (void)!ftruncate(file_.get(), 0);
}

}  // namespace heddle::app
