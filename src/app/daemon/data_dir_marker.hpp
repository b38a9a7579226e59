// DataDirMarker writes a file beside heddle.toml with the data folder of the running daemon:
// `data_dir` may change while it runs, and commands must still find it.
#pragma once

#include <filesystem>
#include <optional>

#include "base/log/log.hpp"
#include "model/job/job.hpp"

namespace heddle::app {

// The file exists while the daemon runs; a file of a dead daemon is ignored.
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
