// Adds events and dead letters. Writer thread only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "model/run/item.hpp"
#include "store/sqlite/core/statement.hpp"

namespace heddle::store {

struct EventRow {
  WallTime at{};
  std::string_view kind;            // "run.started", "run.ended", "page.dead", "delivery.dead"
  std::optional<std::int64_t> job;  // nullopt: the whole project
  std::string_view run;
  std::vector<Field> data;
};

struct DeadLetterEntry {
  std::string_view origin;  // "page" or "delivery"
  std::int64_t job = 0;
  std::string_view run;
  std::optional<std::int64_t> task;
  std::optional<std::string_view> delivery;
  std::string_view payload;  // the page's url or the message
  std::string_view error_kind;
  std::string_view error;
  std::int64_t attempts = 0;
  WallTime first_failed_at{};
  WallTime last_failed_at{};
  std::optional<int> slot{};  // of the worker
};

class JournalTable {
 public:
  explicit JournalTable(Connection& db);

  Status add(const EventRow& event);
  Status add(const DeadLetterEntry& entry);

 private:
  Statement insert_event_;
  Statement insert_dead_letter_;
};

}  // namespace heddle::store
