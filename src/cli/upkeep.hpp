// What the command line needs done to a project's databases as files: an interface that the program
// fills.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/job.hpp"

namespace heddle::cli {

// Told how far long work has come.
using Meter =
    std::function<void(std::string_view what, std::int64_t done_bytes, std::int64_t all_bytes)>;

struct BackupOrder {
  std::filesystem::path folder;
  bool replace = false;  // a backup that is there already
};

struct BackupReport {
  std::vector<std::string> files;
  std::int64_t bytes = 0;
};

struct RestoreReport {
  std::vector<std::string> files;           // that were brought back
  std::vector<std::filesystem::path> kept;  // what was there before, under its new name
};

class Upkeep {
 public:
  virtual ~Upkeep() = default;

  // Works beside a running daemon.
  virtual Result<BackupReport> back_up(const Project& project, const BackupOrder& order,
                                       const Meter& meter) = 0;
  // `conflict` while another heddle works on the project.
  virtual Result<RestoreReport> restore(const Project& project, const std::filesystem::path& folder,
                                        const Meter& meter) = 0;
};

}  // namespace heddle::cli
