// The daemon's socket in the data folder, where commands find it. Belongs to who holds the
// project's lock. Main thread only.
#pragma once

#include <filesystem>

#include <sys/types.h>

#include "app/project_lock.hpp"
#include "base/file_descriptor.hpp"
#include "base/result.hpp"

namespace heddle::app {

class ControlSocket {
 public:
  static std::filesystem::path path_in(const std::filesystem::path& data_dir);

  // The lock outlives it.
  ControlSocket(std::filesystem::path data_dir, const ProjectLock& lock);
  ~ControlSocket();  // removes the file, if it is ours
  ControlSocket(const ControlSocket&) = delete;
  ControlSocket& operator=(const ControlSocket&) = delete;

  // Makes the file, in the place of any other.
  Result<FileDescriptor> listen();
  // The file was removed, or is not ours and of nobody who holds a newer lock.
  [[nodiscard]] bool is_lost() const;
  // Who holds the project can be read there, whatever was removed.
  void keep_name() const {
    if (lock_.is_found_in(data_dir_)) lock_.keep_name(data_dir_);
  }
  [[nodiscard]] std::filesystem::path path() const { return path_in(data_dir_); }

 private:
  std::filesystem::path data_dir_;
  const ProjectLock& lock_;
  ino_t inode_ = 0;  // the kernel gives it to no other file while somebody listens
};

}  // namespace heddle::app
