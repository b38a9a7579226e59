// Reads one of the engine's tables for a script, row by row. Same thread as its EngineData.
#pragma once

#include <span>
#include <string_view>

#include <sqlite3.h>

#include "base/result.hpp"
#include "store/scripts/engine_data.hpp"
#include "store/sqlite/core/statement.hpp"

namespace heddle::store {

struct EngineTable {
  const char* name = "";
  const char* declaration = "";  // the columns as declared to SQLite
  const char* select = "";       // the columns in that order, then the row's id
  const char* job = "";          // names for WHERE and ORDER BY
  const char* time = "";
  const char* id = "";
  int time_column = 0;
  int id_column = -1;        // -1: none
  int sighting_column = -1;  // last_seen, followed by state: derived from pages, not from the row
};

std::span<const EngineTable> engine_tables();
const EngineTable* find_engine_table(std::string_view name);  // nullptr when there is none

class EngineCursor {
 public:
  EngineCursor(const EngineTable& table, EngineData& data) : table_(table), data_(data) {}

  struct Range {
    std::int64_t from;  // both included
    std::int64_t to;
    bool newest_first;
  };
  Status start(Range range);
  Status start_at_id(std::int64_t id);
  Status next();
  [[nodiscard]] bool is_at_end() const { return is_at_end_; }
  Status put_column(sqlite3_context* context, int column) const;
  [[nodiscard]] std::int64_t id() const;

 private:
  enum class Order { oldest_first, newest_first, one };

  Result<bool> prepare(Order order);  // false: there is nothing to read
  Status put_sighting(sqlite3_context* context, bool is_state) const;
  [[nodiscard]] Status failure() const;

  const EngineTable& table_;
  EngineData& data_;
  sqlite3* db_ = nullptr;
  std::int64_t job_ = 0;
  SqliteStatement statement_;
  Order order_ = Order::one;
  bool is_at_end_ = true;
};

}  // namespace heddle::store
