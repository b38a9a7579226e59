#include "store/scripts/built_in_function.hpp"

#include <utility>

namespace heddle::store {

int BuiltInFunction::prepare(sqlite3_context* context, std::size_t arguments) {
  if (statement_ && arguments_ == arguments) return SQLITE_OK;
  statement_.reset();
  if (!db_) {
    sqlite3* raw = nullptr;
    const int opened = sqlite3_open(":memory:", &raw);
    db_.reset(raw);  // SQLite keeps the handle even when open fails
    if (opened != SQLITE_OK) return opened;
    const int limit = sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LENGTH, -1);
    sqlite3_limit(db_.get(), SQLITE_LIMIT_LENGTH, limit);
  }
  std::string sql = "SELECT " + name_ + "(?";
  for (std::size_t i = 1; i < arguments; ++i) sql += ",?";
  sql += ")";
  sqlite3_stmt* raw = nullptr;
  const int code = sqlite3_prepare_v2(db_.get(), sql.c_str(), -1, &raw, nullptr);
  statement_.reset(raw);
  arguments_ = arguments;
  return code;
}

void BuiltInFunction::call(sqlite3_context* context, std::string_view first,
                           const std::vector<sqlite3_value*>& others) {
  int code = prepare(context, 1 + others.size());
  if (code == SQLITE_OK)
    code = sqlite3_bind_text64(statement_.get(), 1, first.data() != nullptr ? first.data() : "",
                               first.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  int parameter = 1;
  for (sqlite3_value* value : others)
    if (code == SQLITE_OK) code = sqlite3_bind_value(statement_.get(), ++parameter, value);
  if (code == SQLITE_OK) code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW)
    sqlite3_result_value(context, sqlite3_column_value(statement_.get(), 0));
  else if (code == SQLITE_TOOBIG)
    sqlite3_result_error_toobig(context);
  else
    sqlite3_result_error(context, db_ ? sqlite3_errmsg(db_.get()) : sqlite3_errstr(code), -1);
  if (!statement_) return;
  sqlite3_reset(statement_.get());
  sqlite3_clear_bindings(statement_.get());
}

}  // namespace heddle::store
