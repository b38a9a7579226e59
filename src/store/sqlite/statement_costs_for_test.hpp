// StatementCosts records what every statement costs that any SQLite connection opened meanwhile
// executes. One at a time; on the thread of the connections.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <sqlite3.h>

namespace heddle::store::testing {

struct StatementCost {
  std::string sql;
  std::int64_t steps = 0;         // of the virtual machine
  std::int64_t scanned_rows = 0;  // of tables and indexes read without a condition
  std::int64_t sorts = 0;
};

class StatementCosts {
 public:
  StatementCosts() {
    current_ = this;
    sqlite3_auto_extension(as_entry_point());
  }
  ~StatementCosts() {
    sqlite3_cancel_auto_extension(as_entry_point());
    current_ = nullptr;
  }
  StatementCosts(const StatementCosts&) = delete;
  StatementCosts& operator=(const StatementCosts&) = delete;

  // Those since the last call.
  std::vector<StatementCost> take() { return std::exchange(costs_, {}); }
  std::int64_t take_steps() {
    std::int64_t sum = 0;
    for (const StatementCost& cost : take()) sum += cost.steps;
    return sum;
  }

 private:
  // SQLite declares the type of the function without its arguments.
  static void (*as_entry_point())() { return reinterpret_cast<void (*)()>(&on_open); }

  static int on_open(sqlite3* db, char** /*error*/, const void* /*api*/) {
    return sqlite3_trace_v2(db, SQLITE_TRACE_PROFILE, &on_end, nullptr);
  }
  static int on_end(unsigned /*event*/, void* /*context*/, void* statement, void* /*time*/) {
    if (current_ == nullptr) return 0;
    auto* ended = static_cast<sqlite3_stmt*>(statement);
    current_->costs_.push_back({sqlite3_sql(ended),
                                sqlite3_stmt_status(ended, SQLITE_STMTSTATUS_VM_STEP, 1),
                                sqlite3_stmt_status(ended, SQLITE_STMTSTATUS_FULLSCAN_STEP, 1),
                                sqlite3_stmt_status(ended, SQLITE_STMTSTATUS_SORT, 1)});
    return 0;
  }

  static inline StatementCosts* current_ = nullptr;
  std::vector<StatementCost> costs_;
};

}  // namespace heddle::store::testing
