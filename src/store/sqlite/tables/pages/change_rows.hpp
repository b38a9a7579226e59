// Stores what changed about the text of a page, and reads what changed about the items and pages of
// a job, in batches. Same thread as its connection.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.hpp"
#include "model/run/change.hpp"
#include "model/run/page_result.hpp"
#include "store/sqlite/core/statement.hpp"
#include "store/sqlite/tables/task_table.hpp"

namespace heddle::store {

class TextChangeTable {
 public:
  explicit TextChangeTable(Connection& db);

  Status add(const HeldTask& task, const PageResult& page, std::int64_t page_id);

 private:
  Statement insert_;
};

class ChangeRows {
 public:
  explicit ChangeRows(Connection& db);

  // Start of the next batch: newest first, ties by id.
  struct Cursor {
    std::int64_t at = INT64_MAX;
    std::int64_t id = INT64_MAX;
  };

  // The changes after the cursor, which moves to the last of them; empty after the last change.
  Result<std::vector<Change>> read(std::int64_t job, std::int64_t since, Cursor& cursor);

 private:
  static Status collect(Rows rows, std::vector<Change>& changes, Cursor& cursor);

  Statement select_same_time_;
  Statement select_older_;
};

}  // namespace heddle::store
