// ControlSocket creates the daemon's socket in the data folder, where commands connect. Only the
// holder of the project's lock may use it. Main thread only.
#pragma once

#include <filesystem>

#include <sys/types.h>

#include "app/project/project_lock.hpp"
#include "base/file_descriptor.hpp"
#include "base/result.hpp"

namespace heddle::app {

class ControlSocket {
 public:
  static std::filesystem::path path_in(const std::filesystem::path& data_dir);

  // The lock outlives it.
  ControlSocket(std::filesystem::path data_dir, const ProjectLock& lock);
  ~ControlSocket();  // removes the file if it is ours
  ControlSocket(const ControlSocket&) = delete;
  ControlSocket& operator=(const ControlSocket&) = delete;

  // Creates the file, replacing any other.
  Result<FileDescriptor> listen();
  // True when the file was removed or replaced, unless the holder of a newer lock replaced it.
  [[nodiscard]] bool is_lost() const;
  // Writes the lock's holder again if the lock file was removed.
  void rewrite_holder() const {
    if (lock_.is_found_in(data_dir_)) lock_.rewrite_holder(data_dir_);
  }
  [[nodiscard]] std::filesystem::path path() const { return path_in(data_dir_); }

 private:
  std::filesystem::path data_dir_;
  const ProjectLock& lock_;
  ino_t inode_ = 0;  // the kernel does not reuse it while the socket is open
};

}  // namespace heddle::app
