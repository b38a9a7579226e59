// Lets commands find the daemon: its socket in the data folder, and a file beside heddle.toml that
// names this folder. Main thread only.
#pragma once

#include <filesystem>
#include <optional>

#include <sys/types.h>

#include "app/project/project_lock.hpp"
#include "base/file_descriptor.hpp"
#include "base/log/log.hpp"
#include "base/result.hpp"
#include "model/job/job.hpp"

namespace heddle::app {

// data/heddle.sock
std::filesystem::path control_socket(const Project& project);

// Creates the socket. Only the holder of the project's lock may use it.
class ControlSocket {
 public:
  // The lock outlives it.
  ControlSocket(const Project& project, const ProjectLock& lock)
      : data_dir_(project.data_dir), path_(control_socket(project)), lock_(lock) {}
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
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  const std::filesystem::path data_dir_;
  const std::filesystem::path path_;
  const ProjectLock& lock_;
  ino_t inode_ = 0;  // the kernel does not reuse it while the socket is open
};

// DataDirMarker writes a file beside heddle.toml with the data folder of the running daemon:
// `data_dir` may change while it runs, and commands must still find it. The file exists while the
// daemon runs; a file of a dead daemon is ignored.
class DataDirMarker {
 public:
  // Logs a warning when the file cannot be written; the daemon runs without it.
  DataDirMarker(const Project& project, Log& log);
  ~DataDirMarker();
  DataDirMarker(const DataDirMarker&) = delete;
  DataDirMarker& operator=(const DataDirMarker&) = delete;

 private:
  std::filesystem::path file_;
};

// The data folder of a running daemon, if heddle.toml now names another one.
std::optional<std::filesystem::path> other_data_dir_in_use(const Project& project);

}  // namespace heddle::app
