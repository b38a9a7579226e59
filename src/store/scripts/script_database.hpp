// What scripts keep: strings by key, and SQL tables shared by all jobs, in data/scripts.db.
// Several processes may have the file open. Works on threads of its own, never on the caller's.
// Thread-safe. Destroying it finishes what is queued; calls must not begin after that.
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
  // data/heddle.db, for the read-only tables records, items, changes and prices. It may not exist
  // (yet): they are empty then.
  std::filesystem::path engine_file{};
  std::chrono::milliseconds statement_limit{2000};  // of running; waiting for a lock is not counted
  std::size_t max_rows = 100'000;                   // of one result
  std::size_t max_result_bytes = 64u << 20;
  std::size_t max_statement_memory = 128u << 20;
  std::int64_t max_file_bytes = std::int64_t{10} << 30;
};

inline constexpr std::size_t kMaxKeyBytes = 1024;
inline constexpr std::size_t kMaxValueBytes = 10u << 20;

class ScriptDatabase {
 public:
  // Creates the file when it is missing. The folder must exist.
  static Result<std::unique_ptr<ScriptDatabase>> open(const std::filesystem::path& file,
                                                      const ScriptDatabaseOptions& options);
  ~ScriptDatabase();
  ScriptDatabase(const ScriptDatabase&) = delete;
  ScriptDatabase& operator=(const ScriptDatabase&) = delete;

  // Strings of one job, or of all jobs together (`everyone`). Keys and values may hold any bytes.
  // A call is answered when its effect is on the disk.
  using Owner = std::optional<JobId>;
  static constexpr std::nullopt_t everyone = std::nullopt;  // NOLINT: reads like a value

  Async<Result<std::optional<std::string>>> get(const Owner& owner, const std::string& key);
  Async<Status> set(const Owner& owner, const std::string& key, std::string value);
  Async<Result<bool>> remove(const Owner& owner, const std::string& key);  // whether it was there
  // Adds to the number kept as text under the key, or to `initial` when there is none; gives the
  // new number. Atomic across processes. What is there but no number is `bad_input`.
  Async<Result<Number>> increment(const Owner& owner, const std::string& key, Number initial,
                                  Number delta);

  // One statement, which is a transaction of its own. Messages are for the script's author.
  Async<Result<SqlRows>> query(const JobId& job, std::string sql, SqlParams params);
  // How many rows were inserted, changed or deleted.
  Async<Result<std::int64_t>> exec(const JobId& job, std::string sql, SqlParams params);

  // The statement being run now. SQLite cannot be stopped inside one of its functions, so one that
  // runs for much longer than the limit is a matter for the watchdog.
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

// For the process that runs scripts: no statement can take more, however it is written. All of
// SQLite in this process shares the limit. 0: none.
void limit_sqlite_memory(std::int64_t bytes);

}  // namespace heddle::store
