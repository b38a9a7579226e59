// Wraps a prepared statement that is bound and run repeatedly. Same thread as its connection.
//
//   Statement insert(db, "INSERT INTO t VALUES (?, ?)");
//   if (auto done = insert.run(7, "text"); !done) return done.error();
//
//   auto rows = select.query(7);
//   while (true) {
//     auto more = rows.next();
//     if (!more) return more.error();
//     if (!*more) break;
//     use(rows.integer(0), rows.text(1));
//   }
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <sqlite3.h>

#include "base/free_with.hpp"
#include "base/hash.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "store/sqlite/core/connection.hpp"

namespace heddle::store {

using SqliteStatement = std::unique_ptr<sqlite3_stmt, FreeWith<sqlite3_finalize>>;

struct Blob {  // bytes that are not text
  std::string_view bytes;
};

class Statement;

// The rows of one execution. Destroying it resets the statement. Columns of an unexpected type (a
// damaged file) read as 0, empty or null.
class Rows {
 public:
  Rows(Statement& statement, int bind_code) : statement_(&statement), bind_code_(bind_code) {}
  ~Rows();
  Rows(Rows&& other) noexcept
      : statement_(std::exchange(other.statement_, nullptr)), bind_code_(other.bind_code_) {}
  Rows& operator=(Rows&&) = delete;

  Result<bool> next();  // false after the last row

  [[nodiscard]] bool is_null(int column) const;
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] std::optional<std::int64_t> maybe_integer(int column) const;
  [[nodiscard]] double real(int column) const;
  [[nodiscard]] WallTime time(int column) const;
  [[nodiscard]] Hash128 hash(int column) const;
  // Valid until the next row.
  [[nodiscard]] std::string_view text(int column) const;
  [[nodiscard]] std::string_view blob(int column) const;

 private:
  Statement* statement_;
  int bind_code_;
};

class Statement {
 public:
  // Prepared at first use, so that a table object can list its statements as members.
  Statement(Connection& db, std::string sql) : db_(&db), sql_(std::move(sql)) {}

  // Runs to completion; rows are ignored.
  template <class... Values>
  Status run(const Values&... values) {
    const int code = bind_all(SQLITE_STATIC, values...);
    return code == SQLITE_OK ? finish() : fail(code);
  }

  // Returns how many rows were inserted, changed or deleted.
  template <class... Values>
  Result<int> change(const Values&... values) {
    if (auto done = run(values...); !done) return std::move(done).error();
    return sqlite3_changes(db_->handle());
  }

  // Texts are copied: they need not outlive this call.
  template <class... Values>
  Rows query(const Values&... values) {
    return {*this, bind_all(SQLITE_TRANSIENT, values...)};
  }

 private:
  friend class Rows;

  template <class... Values>
  int bind_all([[maybe_unused]] sqlite3_destructor_type keep, const Values&... values) {
    int code = prepare();
    [[maybe_unused]] int index = 0;
    ((code = code == SQLITE_OK ? bind(++index, values, keep) : code), ...);
    return code;
  }

  int prepare();
  Status finish();
  Error fail(int code);
  void reset() {
    if (statement_) sqlite3_reset(statement_.get());
  }

  int bind(int index, std::int64_t value, sqlite3_destructor_type);
  int bind(int index, int value, sqlite3_destructor_type keep) {
    return bind(index, static_cast<std::int64_t>(value), keep);
  }
  int bind(int index, WallTime value, sqlite3_destructor_type keep) {
    return bind(index, static_cast<std::int64_t>(value.time_since_epoch().count()), keep);
  }
  int bind(int index, std::string_view value, sqlite3_destructor_type keep);
  int bind(int index, const char* value, sqlite3_destructor_type keep) {
    return bind(index, std::string_view(value), keep);
  }
  int bind(int index, const std::string& value, sqlite3_destructor_type keep) {
    return bind(index, std::string_view(value), keep);
  }
  int bind(int index, Blob value, sqlite3_destructor_type keep);
  int bind(int index, const Hash128& value, sqlite3_destructor_type);
  int bind(int index, std::nullopt_t, sqlite3_destructor_type);
  template <class T>
  int bind(int index, const std::optional<T>& value, sqlite3_destructor_type keep) {
    return value ? bind(index, *value, keep) : bind(index, std::nullopt, keep);
  }

  Connection* db_;
  std::string sql_;
  SqliteStatement statement_;
};

// Stores empty text as NULL: saves a byte per row and reads back as empty.
inline std::optional<std::string_view> unless_empty(std::string_view text) {
  if (text.empty()) return std::nullopt;
  return text;
}

}  // namespace heddle::store
