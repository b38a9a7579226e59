// One heddle at a time works on a project's data: whoever holds the lock owns all unfinished runs.
#pragma once

#include <filesystem>
#include <functional>

#include "base/result.hpp"

namespace heddle::app {

// Held until destroyed; the kernel releases it when the process dies, however it dies.
class ProjectLock {
 public:
  // What the holder does with it: others wait for a moment for one that will be done soon.
  enum class Hold { lasting, brief };

  // Makes the folder when it is not there. When somebody else holds the lock, calls `on_wait` once
  // with their pid (0: unknown) and waits for them to finish.
  static Result<ProjectLock> acquire(const std::filesystem::path& data_dir,
                                     const std::function<void(int pid)>& on_wait);

  // A restore that was cut short is finished first, in all of them.
  // The same without waiting: `conflict`, naming them, when somebody else holds the lock.
  static Result<ProjectLock> try_acquire(const std::filesystem::path& data_dir);
  // The same, but waits some seconds for those who hold it briefly.
  static Result<ProjectLock> acquire_soon(const std::filesystem::path& data_dir, Hold hold);

  ProjectLock(ProjectLock&& other) noexcept;
  ProjectLock& operator=(ProjectLock&&) = delete;
  ~ProjectLock();

 private:
  explicit ProjectLock(int descriptor) : descriptor_(descriptor) {}
  static Result<ProjectLock> open(const std::filesystem::path& data_dir);
  Result<bool> take(int operation, Hold hold);  // false: somebody else holds it
  int descriptor_;
};

// For those who only read and take no lock: when a restore was cut short it is finished now.
// `conflict` while somebody else is at it.
Status settle_restore(const std::filesystem::path& data_dir);

}  // namespace heddle::app
