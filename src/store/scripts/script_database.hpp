// Stores the data of scripts in data/scripts.db: key-value data, and SQL tables shared by all jobs.
// Several processes may have the file open. Works on its own threads. Thread-safe. Destroying it
// finishes queued calls; no call may begin after that.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "base/async.hpp"
#include "base/ids.hpp"
#include "base/result.hpp"
#include "store/scripts/sql_value.hpp"

namespace heddle::store {

struct ScriptDatabaseOptions {
  // data/heddle.db, for the read-only tables records, items, changes and prices. They are empty
  // while it does not exist.
  std::filesystem::path engine_file{};
  std::chrono::milliseconds statement_limit{2000};  // run time; waiting for a lock is not counted
  std::size_t max_rows = 100'000;                   // of one result
  std::size_t max_result_bytes = 64u << 20;
  std::size_t max_statement_memory = 128u << 20;
  std::int64_t max_file_bytes = std::int64_t{10} << 30;
};

inline constexpr std::size_t kMaxKeyBytes = 1024;
inline constexpr std::size_t kMaxValueBytes = 10u << 20;

class ScriptDatabase {
 public:
  // Creates a missing file. The folder must exist.
  static Result<std::unique_ptr<ScriptDatabase>> open(const std::filesystem::path& file,
                                                      const ScriptDatabaseOptions& options);
  ~ScriptDatabase();
  ScriptDatabase(const ScriptDatabase&) = delete;
  ScriptDatabase& operator=(const ScriptDatabase&) = delete;

  // Values of one job, or of all jobs (`all_jobs`). Keys and values may hold any bytes. A write is
  // durable when it returns.
  using Owner = std::optional<JobId>;
  static constexpr std::nullopt_t all_jobs = std::nullopt;  // NOLINT: reads like a value

  Async<Result<std::optional<std::string>>> get(const Owner& owner, const std::string& key);
  Async<Status> set(const Owner& owner, const std::string& key, std::string value);
  Async<Result<bool>> remove(const Owner& owner, const std::string& key);  // whether it existed
  // Adds to the number stored as text, or to `initial` when there is none; returns the new number.
  // Atomic across processes. A value that is not a number is `bad_input`.
  Async<Result<Number>> increment(const Owner& owner, const std::string& key, Number initial,
                                  Number delta);

  // Runs one statement in its own transaction. Error messages address the script's author.
  Async<Result<SqlRows>> query(const JobId& job, std::string sql, SqlParams params);
  // Returns how many rows were inserted, changed or deleted.
  Async<Result<std::int64_t>> exec(const JobId& job, std::string sql, SqlParams params);

  // The running statement. SQLite cannot be stopped inside one of its functions, so the watchdog
  // handles a statement that runs far beyond the limit.
  struct Running {
    JobId job;
    std::chrono::steady_clock::time_point since;
  };
  [[nodiscard]] std::optional<Running> running() const;

 private:
  struct Parts;
  explicit ScriptDatabase(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

// Limits the memory of all SQLite connections in this process, for processes that run scripts. 0:
// no limit.
void limit_sqlite_memory(std::int64_t bytes);

}  // namespace heddle::store
