// A small file beside heddle.toml that says where the project's daemon keeps its data: `data_dir`
// may change while it is up, and commands must still find it.
#pragma once

#include <filesystem>
#include <optional>

#include "base/log.hpp"
#include "model/job.hpp"

namespace heddle::app {

// There while the daemon is; one that a dead daemon left says nothing.
class DaemonSign {
 public:
  // The log is told when the file cannot be written: the daemon does without it.
  DaemonSign(const Project& project, Log& log);
  ~DaemonSign();
  DaemonSign(const DaemonSign&) = delete;
  DaemonSign& operator=(const DaemonSign&) = delete;

 private:
  std::filesystem::path file_;
};

// Where a daemon that answers keeps the project's data, if that is not where heddle.toml says now.
std::optional<std::filesystem::path> other_data_dir_in_use(const Project& project);

}  // namespace heddle::app
