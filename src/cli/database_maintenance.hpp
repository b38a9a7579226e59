// DatabaseMaintenance backs up, restores, examines and repairs a project's databases for the
// command line. src/app implements it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/job/job.hpp"

namespace heddle::cli {

// Reports the progress of a long file operation.
using FileProgress =
    std::function<void(std::string_view what, std::int64_t done_bytes, std::int64_t all_bytes)>;

struct BackupRequest {
  std::filesystem::path folder;
  bool replace = false;  // an existing backup
};

struct BackupReport {
  std::vector<std::string> files;
  std::int64_t bytes = 0;
};

struct RestoreReport {
  std::vector<std::string> files;           // restored
  std::vector<std::filesystem::path> kept;  // the former files under their new names
};

enum class FindingLevel { fine, warning, broken };

struct Finding {
  FindingLevel level = FindingLevel::fine;
  std::string what;
  std::string advice;        // empty: none needed
  std::string damaged_file;  // a database that can be repaired; empty: none
};

// What the rows of a table of the database are; the table's own name when it says so.
constexpr std::string_view meaning_of_table(std::string_view table) {
  if (table == "job_lives") return "states of jobs";
  if (table == "run_courses") return "stages of runs";
  if (table == "hook_tries") return "attempts of hooks";
  if (table == "letters_in_hand") return "dead letters being retried";
  if (table == "page_keys") return "items listed by pages";
  if (table == "listings") return "items on several pages";
  if (table == "absences") return "missing followed items";
  if (table == "contents") return "page bodies";
  if (table == "versions") return "versions of pages";
  if (table == "notes") return "project values";
  if (table == "deletions") return "jobs being deleted";
  if (table == "seen_keys") return "keys of items";
  if (table == "url_uses") return "uses of urls";
  if (table == "run_days") return "days of runs";
  if (table == "price_days") return "days of prices";
  if (table == "dead_letters") return "dead letters";
  if (table == "outbox") return "messages";
  return table;
}

struct TableLoss {
  std::string database;
  std::string table;
  std::int64_t saved = 0;
  std::optional<std::int64_t> lost;  // nullopt: an unknown number
  std::int64_t rebuilt = 0;          // lost rows rebuilt from other tables
};

// A database from which no row can be read.
struct UnreadableDatabase {
  std::filesystem::path file;
  std::string why;
};

struct RepairReport {
  std::vector<TableLoss> tables;               // of the damaged databases
  std::vector<std::filesystem::path> kept;     // the damaged files, under their new names
  std::vector<UnreadableDatabase> unreadable;  // unchanged
  std::vector<std::string> recreated_empty;    // replaced by empty databases
};

class DatabaseMaintenance {
 public:
  virtual ~DatabaseMaintenance() = default;

  // Works beside a running daemon.
  virtual Result<BackupReport> back_up(const Project& project, const BackupRequest& request,
                                       const FileProgress& progress) = 0;
  // Returns `conflict` while another heddle process holds the project.
  virtual Result<RestoreReport> restore(const Project& project, const std::filesystem::path& folder,
                                        const FileProgress& progress) = 0;
  // Changes nothing; works beside a running daemon.
  virtual std::vector<Finding> examine(const Project& project) = 0;
  // Replaces damaged databases by copies of their readable rows; an unreadable one by an empty
  // database if `allow_empty`. Returns `conflict` as restore() does.
  virtual Result<RepairReport> repair(const Project& project, bool allow_empty) = 0;
};

}  // namespace heddle::cli
