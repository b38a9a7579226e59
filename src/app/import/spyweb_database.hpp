// Reads the database of a SpyWeb project. Nothing in it is trusted. Blocks; one thread at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "model/run/item.hpp"
#include "store/sqlite/core/statement.hpp"

namespace heddle::app {

// Copies the database and its log. `conflict` while another process has it open.
Status copy_spyweb_database(const std::filesystem::path& file, const std::filesystem::path& copy);

struct SpywebRecord {
  std::string job;  // SpyWeb's id: the name in lower case, with "_" for other characters
  Item item;        // its fields ordered by name
  WallTime first_seen{};
};

// A value that a script has stored.
struct SpywebScriptValue {
  std::string key;  // "JOB:KEY", or the key of a value of all jobs
  std::string value;
};

class SpywebRecords {
 public:
  // Checks the whole file. It must be a copy: SQLite may write beside it. Messages name `original`.
  static Result<std::unique_ptr<SpywebRecords>> open(const std::filesystem::path& copy,
                                                     const std::filesystem::path& original);

  // Returns the next record, oldest first; nullopt after the last.
  Result<std::optional<SpywebRecord>> next();
  [[nodiscard]] std::int64_t unreadable() const { return unreadable_; }  // so far
  Result<std::int64_t> seen_marks();
  // At most `max` values with a larger key than `after`, by key.
  Result<std::vector<SpywebScriptValue>> script_values(const std::string& after, std::size_t max);

 private:
  SpywebRecords(std::unique_ptr<store::Connection> db, std::filesystem::path original);
  Result<bool> has_table(const std::string& name, const std::string& columns);

  std::unique_ptr<store::Connection> db_;
  std::filesystem::path original_;
  store::Statement select_;
  store::Statement select_values_;
  std::optional<store::Rows> rows_;  // of the listing under way
  std::int64_t unreadable_ = 0;
};

}  // namespace heddle::app
