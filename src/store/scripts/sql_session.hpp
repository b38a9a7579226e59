// Runs scripts' SQL, one statement at a time, within the limits of guard and budget. One thread;
// blocks on the disk.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "store/scripts/engine_data.hpp"
#include "store/scripts/script_database.hpp"
#include "store/scripts/sql_budget.hpp"
#include "store/scripts/sql_guard.hpp"
#include "store/scripts/sql_value.hpp"
#include "store/sqlite/core/connection.hpp"
#include "store/sqlite/core/statement.hpp"

namespace heddle::store {

class SqlSession {
 public:
  // The file must exist; see make_script_file().
  static Result<std::unique_ptr<SqlSession>> open(const std::filesystem::path& file,
                                                  const ScriptDatabaseOptions& options);
  SqlSession(const SqlSession&) = delete;
  SqlSession& operator=(const SqlSession&) = delete;

  Result<SqlRows> query(const JobId& job, const std::string& sql, const SqlParams& params);
  Result<std::int64_t> exec(const JobId& job, const std::string& sql, const SqlParams& params);

 private:
  struct StatementRequest {
    const std::string& sql;
    const SqlParams& params;
    SqlRows* rows;  // nullptr: not needed
  };

  explicit SqlSession(const ScriptDatabaseOptions& options);

  Status set_up(const std::filesystem::path& file);
  Result<std::int64_t> run(const JobId& job, const StatementRequest& request);
  Result<std::int64_t> try_once(const StatementRequest& request);
  Result<SqliteStatement> compile(const std::string& sql);
  Result<std::int64_t> run_as_transaction(sqlite3_stmt* statement, SqlRows* rows);
  Status take_rows(sqlite3_stmt* statement, SqlRows* rows);
  Result<std::size_t> take_row(sqlite3_stmt* statement, SqlRows& rows) const;
  Status check_names();
  Status check_created();
  Result<std::vector<std::string>> probes_of(const SqlGuard::CreatedObject& created);
  void roll_back();
  [[nodiscard]] Error failure(int code) const;

  ScriptDatabaseOptions options_;
  SqlBudget budget_;
  SqlGuard guard_;
  EngineData engine_;
  std::unique_ptr<Connection> db_;  // last: it uses all of the above
};

}  // namespace heddle::store
