#include "store/sqlite/core/statement.hpp"

#include <cmath>

namespace heddle::store {

Rows::~Rows() {
  if (statement_ != nullptr) statement_->reset();
}

Result<bool> Rows::next() {
  if (bind_code_ != SQLITE_OK) return statement_->fail(bind_code_);
  const int code = sqlite3_step(statement_->statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return statement_->fail(code);
}

bool Rows::is_null(int column) const {
  return sqlite3_column_type(statement_->statement_.get(), column) == SQLITE_NULL;
}

std::int64_t Rows::integer(int column) const {
  return sqlite3_column_int64(statement_->statement_.get(), column);
}

std::optional<std::int64_t> Rows::maybe_integer(int column) const {
  if (is_null(column)) return std::nullopt;
  return integer(column);
}

double Rows::real(int column) const {
  const double value = sqlite3_column_double(statement_->statement_.get(), column);
  return std::isfinite(value) ? value : 0;
}

WallTime Rows::time(int column) const {
  return WallTime(std::chrono::milliseconds(integer(column)));
}

Hash128 Rows::hash(int column) const {
  const std::string_view bytes = blob(column);
  if (bytes.size() != 16) return {};
  return Hash128::from_bytes(reinterpret_cast<const unsigned char*>(bytes.data()));
}

std::string_view Rows::text(int column) const {
  auto* row = statement_->statement_.get();
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(row, column));
  if (bytes == nullptr) return {};
  return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(row, column))};
}

std::string_view Rows::blob(int column) const {
  auto* row = statement_->statement_.get();
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(row, column));
  if (bytes == nullptr) return {};
  return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(row, column))};
}

int Statement::prepare() {
  if (statement_) return SQLITE_OK;
  sqlite3_stmt* raw = nullptr;
  const int code =
      sqlite3_prepare_v3(db_->handle(), sql_.c_str(), static_cast<int>(sql_.size()) + 1,
                         SQLITE_PREPARE_PERSISTENT, &raw, nullptr);
  statement_.reset(raw);
  return code;
}

Status Statement::finish() {
  int code = SQLITE_ROW;
  while (code == SQLITE_ROW) code = sqlite3_step(statement_.get());
  if (code != SQLITE_DONE) return fail(code);
  reset();
  return Done{};
}

Error Statement::fail(int code) {
  Error error = db_->error(code);  // before reset, which discards the details
  reset();
  return error;
}

int Statement::bind(int index, std::int64_t value, sqlite3_destructor_type) {
  return sqlite3_bind_int64(statement_.get(), index, value);
}

int Statement::bind(int index, std::string_view value, sqlite3_destructor_type keep) {
  const char* bytes = value.data() != nullptr ? value.data() : "";  // nullptr would bind NULL
  return sqlite3_bind_text64(statement_.get(), index, bytes, value.size(), keep, SQLITE_UTF8);
}

int Statement::bind(int index, Blob value, sqlite3_destructor_type keep) {
  const char* bytes = value.bytes.data() != nullptr ? value.bytes.data() : "";
  return sqlite3_bind_blob64(statement_.get(), index, bytes, value.bytes.size(), keep);
}

int Statement::bind(int index, const Hash128& value, sqlite3_destructor_type) {
  const auto bytes = value.bytes();
  return sqlite3_bind_blob64(statement_.get(), index, bytes.data(), bytes.size(), SQLITE_TRANSIENT);
}

int Statement::bind(int index, std::nullopt_t, sqlite3_destructor_type) {
  return sqlite3_bind_null(statement_.get(), index);
}

}  // namespace heddle::store
