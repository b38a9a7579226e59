// Stops a script's statement that runs too long or takes too much memory.
// Same thread as the connections it watches; must outlive them.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include <sqlite3.h>

namespace heddle::store {

class SqlBudget {
 public:
  struct Limits {
    std::chrono::milliseconds time{2000};
    std::size_t memory = 128u << 20;
  };

  explicit SqlBudget(Limits limits) : limits_(limits) {}
  SqlBudget(const SqlBudget&) = delete;
  SqlBudget& operator=(const SqlBudget&) = delete;

  // Counts what this connection runs from now on.
  void watch(sqlite3* db);

  void start();
  // Also called for work that SQLite does not see; true: stop the statement.
  bool is_exceeded();
  // Why the statement was stopped, for the script's author.
  [[nodiscard]] const std::optional<std::string>& reason() const { return reason_; }

 private:
  Limits limits_;
  std::chrono::steady_clock::time_point end_{};
  sqlite3_int64 memory_at_start_ = 0;
  std::optional<std::string> reason_;
};

}  // namespace heddle::store
