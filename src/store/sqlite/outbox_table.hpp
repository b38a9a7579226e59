// Messages on their way out. Same thread as its connection; the reader thread only calls due().
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/delivery.hpp"
#include "store/sqlite/job_numbers.hpp"
#include "store/sqlite/journal_table.hpp"
#include "store/sqlite/statement.hpp"

namespace heddle::store {

enum class OutboxState : std::int64_t { waiting = 0, sent = 1, dead = 2 };

// The reading half, so that it also works on a read-only connection.
class OutboxRows {
 public:
  explicit OutboxRows(Connection& db);
  Result<std::vector<Delivery>> due(WallTime now, std::size_t max);

 private:
  Statement select_due_;
};

class OutboxTable {
 public:
  OutboxTable(Connection& db, JobNumbers& jobs, JournalTable& journal);

  // A message with an id that is there already is left as it is.
  Status add(const Delivery& delivery);
  Status delivered(const DeliveryId& id, WallTime now);
  Status postpone(const DeliveryId& id, WallTime due_at, const std::string& error);
  Status bury(const DeliveryId& id, WallTime now, const std::string& error);
  // One that was given up is as new.
  Status revive(const DeliveryId& id, WallTime now);

 private:
  struct Row {
    std::int64_t number = 0;
    OutboxState state = OutboxState::waiting;
    std::int64_t job = 0;
    std::string run;
    std::string payload;
    std::int64_t attempts = 0;
    WallTime created_at{};
  };

  Result<Row> find(const DeliveryId& id);
  // conflict unless the message still waits; `true` when it already is in state `meant`.
  Result<bool> is_already(const Row& row, const DeliveryId& id, OutboxState meant) const;

  JobNumbers& jobs_;
  JournalTable& journal_;
  Statement insert_;
  Statement select_;
  Statement end_;
  Statement postpone_;
  Statement revive_;
};

}  // namespace heddle::store
