// What the command line needs done to a project's databases as files: an interface that the program
// fills.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
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

enum class FindingLevel { fine, warning, broken };

struct Finding {
  FindingLevel level = FindingLevel::fine;
  std::string what;
  std::string advice;        // empty: none is needed
  std::string damaged_file;  // a database that can be repaired; empty: none
};

struct TableLoss {
  std::string database;
  std::string table;
  std::int64_t saved = 0;
  std::optional<std::int64_t> lost;  // nullopt: some, but nobody knows how many
  std::int64_t rebuilt = 0;          // of those lost, from what other tables say
};

// A database of which nothing can be saved.
struct Unreadable {
  std::filesystem::path file;
  std::string why;
};

struct RepairReport {
  std::vector<TableLoss> tables;            // of the databases that were damaged
  std::vector<std::filesystem::path> kept;  // the damaged files, under their new names
  std::vector<Unreadable> unreadable;       // left where they are
  std::vector<std::string> begun_empty;     // databases that nothing was saved of
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
  // Changes nothing, works beside a running daemon.
  virtual std::vector<Finding> examine(const Project& project) = 0;
  // Saves what can be read of damaged databases. Where that is nothing an empty one takes its place
  // if `may_begin_empty`. `conflict` as above.
  virtual Result<RepairReport> repair(const Project& project, bool may_begin_empty) = 0;
};

}  // namespace heddle::cli
