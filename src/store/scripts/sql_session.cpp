#include "store/scripts/sql_session.hpp"

#include <utility>

#include <fmt/format.h>

#include "store/scripts/engine_tables.hpp"
#include "store/scripts/script_schema.hpp"
#include "store/scripts/sql_binding.hpp"
#include "store/scripts/sql_functions.hpp"

namespace heddle::store {

namespace {

Error bad(std::string message) {
  return {ErrorCode::bad_input, std::move(message)};
}

// SQLite's message for a view or trigger that names a missing table.
constexpr std::string_view kMissingTable = "no such table: main.";

// Views and triggers are resolved in schemas without the engine's tables.
bool is_about_engine_table(const Error& error) {
  const std::string_view message = error.message;
  return message.starts_with(kMissingTable) &&
         is_engine_table(message.substr(kMissingTable.size()));
}

std::string identifier(std::string_view name) {
  std::string out = "\"";
  for (const char c : name) out.append(c == '"' ? "\"\"" : std::string(1, c));
  return out + '"';
}

class EngineReadScope {  // one statement's access to the engine's data
 public:
  EngineReadScope(EngineData& engine, const JobId& job) : engine_(engine) { engine_.begin(job); }
  ~EngineReadScope() { engine_.end(); }
  EngineReadScope(const EngineReadScope&) = delete;
  EngineReadScope& operator=(const EngineReadScope&) = delete;

 private:
  EngineData& engine_;
};

}  // namespace

SqlSession::SqlSession(const ScriptDatabaseOptions& options)
    : options_(options),
      budget_({.time = options.statement_limit, .memory = options.max_statement_memory}),
      engine_(options.engine_file, budget_) {}

Result<std::unique_ptr<SqlSession>> SqlSession::open(const std::filesystem::path& file,
                                                     const ScriptDatabaseOptions& options) {
  auto session = std::unique_ptr<SqlSession>(new SqlSession(options));
  if (auto ready = session->set_up(file); !ready) return std::move(ready).error();
  return session;
}

Status SqlSession::set_up(const std::filesystem::path& file) {
  auto db = open_script_file(file, options_.max_file_bytes);
  if (!db) return std::move(db).error();
  db_ = std::move(*db);
  // On disk: sorting and aggregation must not exhaust memory.
  if (auto set = db_->execute("PRAGMA temp_store=FILE"); !set) return set;
  if (auto added = add_engine_tables(*db_, engine_); !added) return added;
  if (auto added = add_linear_functions(db_->handle()); !added) return added;
  budget_.watch(db_->handle());
  guard_.watch(db_->handle());
  return Done{};
}

Result<SqlRows> SqlSession::query(const JobId& job, const std::string& sql,
                                  const SqlParams& params) {
  SqlRows rows;
  auto done = run(job, {sql, params, &rows});
  if (!done) return std::move(done).error();
  return rows;
}

Result<std::int64_t> SqlSession::exec(const JobId& job, const std::string& sql,
                                      const SqlParams& params) {
  return run(job, {sql, params, nullptr});
}

Result<std::int64_t> SqlSession::run(const JobId& job, const StatementRequest& request) {
  const EngineReadScope turn(engine_, job);
  auto done = try_once(request);
  // When another process has just changed the schema, SQLite recompiles the running statement,
  // which the guard cannot distinguish from an attack.
  if (!done && guard_.was_refused_late()) done = try_once(request);
  return done;
}

Result<std::int64_t> SqlSession::try_once(const StatementRequest& request) {
  guard_.forget();
  budget_.start();
  if (request.rows != nullptr) *request.rows = {};
  auto statement = compile(request.sql);
  if (!statement) return std::move(statement).error();
  if (auto bound = bind_params(statement->get(), request.params); !bound)
    return std::move(bound).error();
  if (sqlite3_stmt_readonly(statement->get()) == 0)
    return run_as_transaction(statement->get(), request.rows);
  if (auto taken = take_rows(statement->get(), request.rows); !taken)
    return std::move(taken).error();
  return 0;
}

Result<SqliteStatement> SqlSession::compile(const std::string& sql) {
  if (sql.find('\0') != std::string::npos) return bad("the statement contains a NUL byte");
  if (begins_with_word(sql, "VACUUM")) return bad(std::string(kOneDatabase));
  const SqlGuard::Compiling compiling(guard_);
  sqlite3_stmt* raw = nullptr;
  const char* rest = nullptr;
  const int code =
      sqlite3_prepare_v2(db_->handle(), sql.c_str(), static_cast<int>(sql.size()) + 1, &raw, &rest);
  SqliteStatement statement(raw);
  if (code != SQLITE_OK) return failure(code);
  if (!statement) return bad("there is no statement");
  if (!is_blank_sql(rest))
    return bad("one statement per call: there is more after the first one's end");
  return statement;
}

// The session begins the transaction, so that it waits for other writers at the start, where
// waiting is harmless, and so that a result that is too large rolls back the changes.
Result<std::int64_t> SqlSession::run_as_transaction(sqlite3_stmt* statement, SqlRows* rows) {
  {
    const SqlGuard::Trusting trusting(guard_);
    if (auto begun = db_->execute("BEGIN IMMEDIATE"); !begun) return std::move(begun).error();
  }
  const auto before = sqlite3_total_changes64(db_->handle());
  budget_.start();  // waiting does not count
  Status done = take_rows(statement, rows);
  const bool has_changed =
      sqlite3_total_changes64(db_->handle()) != before && !guard_.has_changed_schema();
  const std::int64_t changed = has_changed ? sqlite3_changes64(db_->handle()) : 0;
  sqlite3_reset(statement);
  if (done && guard_.has_altered()) done = check_names();
  if (done && !guard_.created().name.empty()) done = check_created();
  if (done) {
    const SqlGuard::Trusting trusting(guard_);
    budget_.start();  // the rest is not the script's work
    done = db_->execute("COMMIT");
  }
  if (done) return changed;
  roll_back();
  return std::move(done).error();
}

Status SqlSession::take_rows(sqlite3_stmt* statement, SqlRows* rows) {
  const int columns = sqlite3_column_count(statement);
  if (rows != nullptr)
    for (int i = 0; i < columns; ++i) rows->columns.emplace_back(sqlite3_column_name(statement, i));
  std::size_t bytes = 0;
  while (true) {
    const int code = sqlite3_step(statement);
    if (code == SQLITE_DONE) return Done{};
    if (code != SQLITE_ROW) return failure(code);
    if (rows == nullptr) continue;
    auto size = take_row(statement, *rows);
    if (!size) return std::move(size).error();
    bytes += *size;
    if (bytes > options_.max_result_bytes)
      return bad(fmt::format("the result is larger than {} MB: ask for less with LIMIT",
                             options_.max_result_bytes >> 20));
  }
}

Result<std::size_t> SqlSession::take_row(sqlite3_stmt* statement, SqlRows& rows) const {
  if (rows.rows.size() >= options_.max_rows)
    return bad(fmt::format("the result has more than {} rows: ask for less with LIMIT",
                           options_.max_rows));
  auto& row = rows.rows.emplace_back();
  row.reserve(rows.columns.size());
  std::size_t bytes = sizeof(std::vector<SqlValue>);
  for (int i = 0; i < static_cast<int>(rows.columns.size()); ++i)
    bytes += size_of(row.emplace_back(column_value(statement, i)));
  return bytes;
}

// A renamed table may have got an internal name.
Status SqlSession::check_names() {
  Statement names(*db_,
                  "SELECT name FROM main.sqlite_schema WHERE name IS NOT 'heddle_values'"
                  " AND name IS NOT 'sqlite_autoindex_heddle_values_1'");
  auto rows = names.query();
  while (true) {
    auto more = rows.next();
    if (!more) return std::move(more).error();
    if (!*more) return Done{};
    if (is_internal_name(rows.text(0)) || is_engine_table(rows.text(0)))
      return bad(fmt::format("the name {} belongs to the engine", rows.text(0)));
  }
}

// A view or trigger over the engine's tables could never be used, and would break every statement
// of any job that renames a table.
Status SqlSession::check_created() {
  auto probes = probes_of(guard_.created());
  if (!probes) return std::move(probes).error();
  bool has_touched_engine = false;
  for (const std::string& sql : *probes) {
    guard_.forget();
    const auto statement = compile(sql);
    has_touched_engine =
        guard_.has_touched_engine() || (!statement && is_about_engine_table(statement.error()));
    if (has_touched_engine) break;
  }
  guard_.forget();
  if (!has_touched_engine) return Done{};
  return bad("views and triggers cannot use the engine's tables (records, items, changes, prices)");
}

// Statements that would use it; they are only compiled.
Result<std::vector<std::string>> SqlSession::probes_of(const SqlGuard::CreatedObject& created) {
  const std::string name = identifier(created.name);
  if (created.is_view) return std::vector<std::string>{"SELECT * FROM " + name};
  Statement columns(*db_, "SELECT name FROM pragma_table_info(?)");
  auto rows = columns.query(created.name);
  std::string changes;
  while (true) {
    auto more = rows.next();
    if (!more) return std::move(more).error();
    if (!*more) break;
    const std::string column = identifier(rows.text(0));
    changes += fmt::format("{}{} = {}", changes.empty() ? "" : ", ", column, column);
  }
  return std::vector<std::string>{"DELETE FROM " + name, "INSERT INTO " + name + " DEFAULT VALUES",
                                  "UPDATE " + name + " SET " + changes};
}

void SqlSession::roll_back() {
  const SqlGuard::Trusting trusting(guard_);
  if (db_->in_transaction()) (void)db_->execute("ROLLBACK");
}

// The script's errors keep SQLite's message, all others get the engine's.
Error SqlSession::failure(int code) const {
  if (!guard_.refusal().empty()) return bad(guard_.refusal());
  if (budget_.reason()) return {ErrorCode::timeout, *budget_.reason()};
  switch (code & 0xFF) {
    case SQLITE_ERROR:
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
    case SQLITE_RANGE:
    case SQLITE_AUTH:
    case SQLITE_SCHEMA:
    case SQLITE_READONLY:
      return bad(sqlite3_errmsg(db_->handle()));
    case SQLITE_TOOBIG:
      return bad("a value is larger than 16 MB, or the statement longer than 1 MB");
    case SQLITE_NOMEM:
      return bad("out of memory, or the statement is too complex");
    default:
      return db_->error(code);
  }
}

}  // namespace heddle::store
