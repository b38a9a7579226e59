// What `heddle import spyweb` is asked for and what it did; recognizes SpyWeb's database.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace heddle::cli {

struct SpywebImportRequest {
  std::filesystem::path source;  // the folder of a SpyWeb project
  bool dry_run = false;
};

// What SpyWeb's file `data` is; `link`: a symbolic link that leads out of the folder.
enum class SpywebDatabase { none, sqlite, redb, link, unknown };

constexpr std::string_view to_text(SpywebDatabase database) {
  switch (database) {
    case SpywebDatabase::none:
      return "none";
    case SpywebDatabase::sqlite:
      return "sqlite";
    case SpywebDatabase::redb:
      return "redb";
    case SpywebDatabase::link:
      return "link";
    case SpywebDatabase::unknown:
      return "unknown";
  }
  return "unknown";
}

// By the first bytes of the file; `none` when there is no such file.
SpywebDatabase kind_of_spyweb_database(const std::filesystem::path& file);

// SpyWeb keeps its database in a file with the name of Heddle's data folder. Fails when there is
// a file in the place of the folder, and says what to do.
Status check_data_folder(const std::filesystem::path& root, const std::filesystem::path& data_dir);

struct ImportedJob {
  std::string id;
  std::string folder;       // below jobs/; empty: a job of jobs.toml
  bool is_present = false;  // an earlier import has copied it
  std::int64_t records = 0;
};

// A job, or jobs.toml, that cannot be told from others because of an error.
struct UnreadableJob {
  std::string place;  // "jobs/tea"
  std::string error;  // with file and line
};

struct SpywebImport {
  std::vector<ImportedJob> jobs;
  std::int64_t shared_files = 0;  // of shared/ and modules, not there before
  SpywebDatabase database = SpywebDatabase::none;
  std::int64_t records = 0;        // of these jobs
  std::int64_t new_items = 0;      // records that were not known before; 0 of a dry run
  std::int64_t script_values = 0;  // of store_set and global_store_set, not known before
  // What could not be imported:
  std::vector<UnreadableJob> broken_jobs;
  std::int64_t unreadable_records = 0;
  std::map<std::string, std::int64_t> records_without_job;  // by SpyWeb's id of the job
  std::int64_t marks_without_record = 0;                    // seen, but their records are deleted
  std::int64_t invalid_script_values = 0;
  std::vector<std::string> skipped_files;  // with the reason
};

}  // namespace heddle::cli
