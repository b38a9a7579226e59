// Reads the items of a job as records in batches. Same thread as its connection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "model/run/item.hpp"
#include "store/sqlite/core/statement.hpp"

namespace heddle::store {

class RecordRows {
 public:
  explicit RecordRows(Connection& db);

  // Start of the next batch: newest first, ties by id.
  struct Cursor {
    std::int64_t first_seen = INT64_MAX;
    std::int64_t id = INT64_MAX;
  };

  // The records after the cursor, which moves to the last of them; empty after the last record.
  Result<std::vector<Record>> read(std::int64_t job, std::int64_t since, Cursor& cursor);

  // When the newest page that lists the item was last seen; nullopt: no page lists it.
  Result<std::optional<std::int64_t>> last_listed(std::int64_t item);

 private:
  Status collect(Rows rows, std::vector<Record>& records, Cursor& cursor);

  Statement select_same_time_;
  Statement select_older_;
  Statement select_last_listed_;
};

}  // namespace heddle::store
