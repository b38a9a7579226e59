#include "store/scripts/sql_budget.hpp"

#include <fmt/format.h>

#include "base/time.hpp"

namespace heddle::store {

namespace {

// SQLite VM instructions between two checks: few, because one may create a 16 MB value.
constexpr int kStep = 50;

}  // namespace

void SqlBudget::watch(sqlite3* db) {
  const auto check = [](void* self) {
    return static_cast<SqlBudget*>(self)->is_exceeded() ? 1 : 0;
  };
  sqlite3_progress_handler(db, kStep, check, this);
}

void SqlBudget::start() {
  end_ = std::chrono::steady_clock::now() + limits_.time;
  memory_at_start_ = sqlite3_memory_used();
  reason_.reset();
}

// SQLite counts the memory of the whole process; what other threads use meanwhile is small compared
// to the limit.
bool SqlBudget::is_exceeded() {
  if (reason_) return true;
  if (std::chrono::steady_clock::now() > end_)
    reason_ = fmt::format("took longer than {} and was stopped", to_short_text(limits_.time));
  else if (sqlite3_memory_used() - memory_at_start_ > static_cast<sqlite3_int64>(limits_.memory))
    reason_ = fmt::format("took more than {} MB of memory and was stopped", limits_.memory >> 20);
  return reason_.has_value();
}

}  // namespace heddle::store
