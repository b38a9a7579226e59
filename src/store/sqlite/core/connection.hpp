// Opens one SQLite database and turns its failures into messages that users can act on. Owned and
// used by one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include <sqlite3.h>

#include "base/free_with.hpp"
#include "base/result.hpp"

namespace heddle::store {

using SqliteDb = std::unique_ptr<sqlite3, FreeWith<sqlite3_close_v2>>;

class Connection {
 public:
  struct Options {
    bool read_only = false;
    bool immutable = false;  // no writer exists, and no file may be created beside this one
    std::size_t cache_bytes = 4u << 20;
    std::string vfs{};
  };

  static Result<std::unique_ptr<Connection>> open(const std::filesystem::path& file,
                                                  const Options& options);

  // Runs statements without parameters and rows.
  Status execute(const std::string& sql);
  // Returns the first column of the first row.
  Result<std::int64_t> query_integer(const std::string& sql);

  // SQLite ends a transaction by itself on some failures.
  [[nodiscard]] bool in_transaction() const { return sqlite3_get_autocommit(db_.get()) == 0; }

  // Explains the result code of a failed call.
  [[nodiscard]] Error error(int code) const;

  [[nodiscard]] sqlite3* handle() const { return db_.get(); }
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

 private:
  Connection(SqliteDb db, std::filesystem::path file)
      : db_(std::move(db)), file_(std::move(file)) {}

  SqliteDb db_;
  std::filesystem::path file_;
};

}  // namespace heddle::store
