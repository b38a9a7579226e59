#include "store/scripts/sql_guard.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"

namespace heddle::store {

namespace {

using Names = std::span<const std::string_view>;

constexpr std::array<std::string_view, 4> kEngineTables{"records", "items", "changes", "prices"};
// SQLite's virtual tables that expose data outside the script's tables: pages of the file,
// statements.
constexpr std::array<std::string_view, 6> kRevealing{"dbstat",   "sqlite_dbpage", "sqlite_stmt",
                                                     "bytecode", "tables_used",   "sqlite_memstat"};
constexpr std::array<std::string_view, 4> kRefusedFunctions{"load_extension", "fts3_tokenizer",
                                                            "sqlite_log", "sqlite_offset"};
constexpr std::array<std::string_view, 7> kPragmasAboutOne{
    "table_info",  "table_xinfo",      "index_list", "index_info",
    "index_xinfo", "foreign_key_list", "table_list"};
constexpr std::array<std::string_view, 7> kPragmasToRead{
    "user_version", "schema_version", "encoding",    "page_count",
    "page_size",    "freelist_count", "data_version"};
constexpr std::string_view kFullText = "fts5";
constexpr std::string_view kTemporary = "temp";

constexpr std::array<std::pair<int, int>, 10> kLimits{{
    {SQLITE_LIMIT_LENGTH, 16 << 20},
    {SQLITE_LIMIT_SQL_LENGTH, 1 << 20},
    {SQLITE_LIMIT_COLUMN, 250},
    {SQLITE_LIMIT_EXPR_DEPTH, 500},
    {SQLITE_LIMIT_VDBE_OP, 100'000},
    {SQLITE_LIMIT_ATTACHED, 0},
    {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 128},
    {SQLITE_LIMIT_VARIABLE_NUMBER, 32'766},
    {SQLITE_LIMIT_TRIGGER_DEPTH, 32},
    {SQLITE_LIMIT_WORKER_THREADS, 0},
}};

bool is_one_of(Names names, std::string_view name) {
  return std::any_of(names.begin(), names.end(),
                     [&](std::string_view one) { return equals_ignoring_case(one, name); });
}

std::string_view view(const char* text) {
  return text != nullptr ? std::string_view(text) : std::string_view();
}

}  // namespace

bool is_engine_table(std::string_view name) {
  return is_one_of(kEngineTables, name);
}

// Also matches inside the names of SQLite's indexes ("sqlite_autoindex_heddle_values_1").
bool is_internal_name(std::string_view name) {
  const std::string lower = to_lower_ascii(name);
  return lower.starts_with("heddle_") || lower.starts_with("sqlite_autoindex_heddle_");
}

void SqlGuard::watch(sqlite3* db) {
  for (const auto& [limit, value] : kLimits) sqlite3_limit(db, limit, value);
  sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
  sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0, nullptr);
  // The sixth argument, the view or trigger an access comes from, proves nothing: SQLite also
  // passes the name of a WITH table there, which the script chooses.
  const auto ask = [](void* self, int action, const char* first, const char* second,
                      const char* schema, const char* /*from*/) {
    return static_cast<SqlGuard*>(self)->authorize(
        {action, view(first), view(second), view(schema)});
  };
  sqlite3_set_authorizer(db, ask, this);
}

void SqlGuard::forget() {
  was_refused_late_ = false;
  has_altered_ = false;
  has_changed_schema_ = false;
  has_touched_engine_ = false;
  created_ = {};
  refusal_.clear();
}

int SqlGuard::refuse(std::string reason) {
  refusal_ = std::move(reason);
  was_refused_late_ = !is_compiling_;
  return SQLITE_DENY;
}

int SqlGuard::authorize(const Access& access) {
  switch (access.action) {
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE:
      return SQLITE_OK;
    case SQLITE_READ:
    case SQLITE_INSERT:
    case SQLITE_UPDATE:
    case SQLITE_DELETE:
      return authorize_table(access);
    case SQLITE_FUNCTION:
      if (!is_one_of(kRefusedFunctions, access.second)) return SQLITE_OK;
      return refuse(fmt::format("the function {}() is not for scripts", access.second));
    case SQLITE_PRAGMA:
      return authorize_pragma(access);
    case SQLITE_TRANSACTION:
    case SQLITE_SAVEPOINT:
      if (is_trusting_) return SQLITE_OK;
      return refuse(
          "each call is a transaction of its own, so BEGIN, COMMIT, ROLLBACK and SAVEPOINT are not "
          "available: do it in one statement");
    case SQLITE_ATTACH:
    case SQLITE_DETACH:
      return refuse(std::string(kOneDatabase));
    case SQLITE_REINDEX:  // also a part of CREATE INDEX; a REINDEX of all skips internal ones
      return is_internal_name(access.first) ? SQLITE_IGNORE : SQLITE_OK;
    case SQLITE_ANALYZE:
      return refuse("ANALYZE is not available to scripts");
    default:
      return authorize_object(access);
  }
}

int SqlGuard::authorize_table(const Access& access) {
  const bool is_read = access.action == SQLITE_READ;
  if (is_internal_name(access.first) || is_one_of(kRevealing, access.first))
    return refuse(fmt::format("the table {} is not for scripts", access.first));
  if (!is_engine_table(access.first)) {
    // CREATE and ALTER write sqlite_master, which SQLite itself protects from anything else.
    if (is_read || !to_lower_ascii(access.first).starts_with("sqlite_stat")) return SQLITE_OK;
    return refuse(fmt::format("the table {} is not for scripts", access.first));
  }
  has_touched_engine_ = true;
  if (!is_read) return refuse(fmt::format("the table {} is read-only", access.first));
  if (is_compiling_) return SQLITE_OK;
  return refuse(fmt::format("the table {} can only be read directly", access.first));
}

// Checks what is created, dropped or altered; refuses anything unknown.
int SqlGuard::authorize_object(const Access& access) {
  if (access.action == SQLITE_CREATE_VIEW && is_compiling_)
    created_ = {true, std::string(access.first)};
  if (access.action == SQLITE_CREATE_TRIGGER && is_compiling_)
    created_ = {false, std::string(access.second)};
  switch (access.action) {
    case SQLITE_CREATE_TABLE:
    case SQLITE_CREATE_VIEW:
    case SQLITE_CREATE_INDEX:
    case SQLITE_CREATE_TRIGGER:
    case SQLITE_DROP_TABLE:
    case SQLITE_DROP_VIEW:
    case SQLITE_DROP_INDEX:
    case SQLITE_DROP_TRIGGER:
      return authorize_names(access, access.schema);
    case SQLITE_ALTER_TABLE:
      has_altered_ = true;
      return authorize_names(access, access.first);
    case SQLITE_CREATE_VTABLE:
    case SQLITE_DROP_VTABLE:
      if (equals_ignoring_case(access.second, kFullText))
        return authorize_names(access, access.schema);
      return refuse("the only virtual tables for scripts are those of fts5");
    case SQLITE_CREATE_TEMP_TABLE:
    case SQLITE_CREATE_TEMP_VIEW:
    case SQLITE_CREATE_TEMP_INDEX:
    case SQLITE_CREATE_TEMP_TRIGGER:
    case SQLITE_DROP_TEMP_TABLE:
    case SQLITE_DROP_TEMP_VIEW:
    case SQLITE_DROP_TEMP_INDEX:
    case SQLITE_DROP_TEMP_TRIGGER:
      return authorize_names(access, kTemporary);
    default:
      return refuse("this is not available to scripts");
  }
}

int SqlGuard::authorize_names(const Access& access, std::string_view schema) {
  for (const std::string_view name : {access.first, access.second})
    if (is_internal_name(name) || is_engine_table(name))
      return refuse(fmt::format("the name {} belongs to the engine", name));
  if (equals_ignoring_case(schema, kTemporary))
    return refuse(
        "temporary tables would not last from one call to the next: use WITH, or a table with a "
        "name of your own");
  if (is_compiling_) has_changed_schema_ = true;
  return SQLITE_OK;
}

int SqlGuard::authorize_pragma(const Access& access) {
  if (is_one_of(kPragmasAboutOne, access.first) && !is_internal_name(access.second))
    return SQLITE_OK;
  if (is_one_of(kPragmasToRead, access.first) && access.second.empty()) return SQLITE_OK;
  return refuse(fmt::format("PRAGMA {} is not available to scripts", access.first));
}

}  // namespace heddle::store
