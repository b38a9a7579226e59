// ProjectLock lets one heddle process at a time use a project's data; its holder owns all
// unfinished runs.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "base/file_descriptor.hpp"
#include "base/result.hpp"

namespace heddle::app {

// Locks both the folder and its file heddle.lock, which names the holder and which users may
// remove. Held until destroyed; the kernel releases it when the process dies.
class ProjectLock {
 public:
  // How long the holder needs it: others wait for a brief holder.
  enum class Hold { lasting, brief };

  // Creates the folder if needed. While another process holds the lock, calls `on_wait` once with
  // its pid (0: unknown) and waits. All acquire functions finish an interrupted restore.
  static Result<ProjectLock> acquire(const std::filesystem::path& data_dir,
                                     const std::function<void(int pid)>& on_wait);

  // The same without waiting: returns `conflict`, naming the holder, when another process holds the
  // lock.
  static Result<ProjectLock> try_acquire(const std::filesystem::path& data_dir);
  // The same, but waits some seconds for a brief holder.
  static Result<ProjectLock> acquire_soon(const std::filesystem::path& data_dir, Hold hold);

  // The pid of a lasting holder, a daemon or a run; nullopt: none. Creates no file and does not
  // wait.
  static std::optional<int> lasting_holder(const std::filesystem::path& data_dir);

  // The pid of a holder that waits for space on the disk before it starts; nullopt: none.
  static std::optional<int> holder_waiting_for_space(const std::filesystem::path& data_dir);
  // Shows that to others, also when the disk has no space for a pid.
  void set_waits_for_space(bool waits) const;

  // True when `data_dir` is still the locked folder, not another one of that name.
  [[nodiscard]] bool is_found_in(const std::filesystem::path& data_dir) const;

  // Writes the holder again, as lasting, if the lock file was removed.
  void rewrite_holder(const std::filesystem::path& data_dir) const;

  ProjectLock(ProjectLock&&) noexcept = default;
  ProjectLock& operator=(ProjectLock&&) = delete;
  ~ProjectLock();

 private:
  // Waits while another process holds the lock; false: it still does.
  using Wait = std::function<Result<bool>(ProjectLock&)>;

  ProjectLock(FileDescriptor file, FileDescriptor folder)
      : file_(std::move(file)), folder_(std::move(folder)) {}
  static Result<ProjectLock> open(const std::filesystem::path& data_dir);
  static Result<ProjectLock> acquire_with(const std::filesystem::path& data_dir, Hold hold,
                                          const Wait& wait);
  Result<bool> try_lock(int operation, Hold hold);  // false: another process holds it

  FileDescriptor file_;
  FileDescriptor folder_;  // locked too, where the file system supports it
  bool is_held_ = false;
};

// Advice for users who want to stop that holder.
std::string stop_advice(int pid);
// Why nothing can be done while that holder waits for space.
Error waits_for_space(int pid, const std::filesystem::path& data_dir);

// For readers, which hold no lock: finishes an interrupted restore. Returns `conflict` while
// another process is restoring.
Status finish_interrupted_restore(const std::filesystem::path& data_dir);

}  // namespace heddle::app
