// Calls SQLite's own version of a function that a connection has replaced, for checked arguments.
// Uses its own in-memory database. Not thread-safe.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <sqlite3.h>

#include "base/free_with.hpp"

namespace heddle::store {

class BuiltInFunction {
 public:
  explicit BuiltInFunction(std::string name) : name_(std::move(name)) {}

  // Sets the result or the error of `context`.
  void call(sqlite3_context* context, std::string_view first,
            const std::vector<sqlite3_value*>& others);

 private:
  int prepare(sqlite3_context* context, std::size_t arguments);

  std::string name_;
  std::unique_ptr<sqlite3, FreeWith<sqlite3_close_v2>> db_;
  std::unique_ptr<sqlite3_stmt, FreeWith<sqlite3_finalize>> statement_;
  std::size_t arguments_ = 0;
};

}  // namespace heddle::store
