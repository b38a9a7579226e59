// One heddle at a time works on a project's data: whoever holds the lock owns all unfinished runs.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "base/file_descriptor.hpp"
#include "base/result.hpp"

namespace heddle::app {

// Lies on the folder and on the file heddle.lock in it, which names the holder and which somebody
// may remove. Held until destroyed; the kernel releases it when the process dies, however it dies.
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

  // The pid of who holds it for long, a daemon or a run; nullopt: nobody does. Makes no file and
  // waits for nobody.
  static std::optional<int> lasting_holder(const std::filesystem::path& data_dir);

  // Others who look for it there find what is locked, not another folder of that name.
  [[nodiscard]] bool is_found_in(const std::filesystem::path& data_dir) const;

  // Says again who holds it, for long, if somebody has removed that.
  void keep_name(const std::filesystem::path& data_dir) const;

  ProjectLock(ProjectLock&& other) noexcept;
  ProjectLock& operator=(ProjectLock&&) = delete;
  ~ProjectLock();

 private:
  ProjectLock(int descriptor, FileDescriptor folder)
      : descriptor_(descriptor), folder_(std::move(folder)) {}
  static Result<ProjectLock> open(const std::filesystem::path& data_dir);
  Result<bool> take(int operation, Hold hold);  // false: somebody else holds it
  int descriptor_;
  FileDescriptor folder_;  // locked as well, where that can be
  bool is_held_ = false;
};

// What to tell people who want that holder to end.
std::string how_to_end(int pid);

// For those who only read and take no lock: when a restore was cut short it is finished now.
// `conflict` while somebody else is at it.
Status settle_restore(const std::filesystem::path& data_dir);

}  // namespace heddle::app
