// One heddle at a time works on a project's data: whoever holds the lock owns all unfinished runs.
#pragma once

#include <filesystem>
#include <functional>

#include "base/result.hpp"

namespace heddle::app {

// Held until destroyed; the kernel releases it when the process dies, however it dies.
class ProjectLock {
 public:
  // Makes the folder when it is not there. When somebody else holds the lock, calls `on_wait` once
  // with their pid (0: unknown) and waits for them to finish.
  static Result<ProjectLock> acquire(const std::filesystem::path& data_dir,
                                     const std::function<void(int pid)>& on_wait);

  ProjectLock(ProjectLock&& other) noexcept;
  ProjectLock& operator=(ProjectLock&&) = delete;
  ~ProjectLock();

 private:
  explicit ProjectLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace heddle::app
