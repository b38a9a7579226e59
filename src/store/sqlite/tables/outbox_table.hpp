// Stores undelivered and sent messages. Same thread as its connection; the reader thread only calls
// due().
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/notify/delivery.hpp"
#include "store/sqlite/core/statement.hpp"
#include "store/sqlite/tables/job_numbers.hpp"
#include "store/sqlite/tables/journal_table.hpp"
#include "store/store.hpp"

namespace heddle::store {

enum class OutboxState : std::int64_t { waiting = 0, sent = 1, dead = 2 };

// Works on a read-only connection.
class OutboxRows {
 public:
  explicit OutboxRows(Connection& db);
  Result<std::vector<Delivery>> due(WallTime now, std::size_t max);
  Result<OutboxCounts> counts(std::int64_t job);

 private:
  Statement select_due_;
  Statement count_;
};

class OutboxTable {
 public:
  OutboxTable(Connection& db, JobNumbers& jobs, JournalTable& journal);

  // Ignores a message whose id exists.
  Status add(const Delivery& delivery);
  Status delivered(const DeliveryId& id, WallTime now);
  Status postpone(const DeliveryId& id, DeliveryWait wait, const std::string& error);
  // See Store.
  Status shift_waits(std::chrono::milliseconds by) { return shift_waits_.run(by.count()); }
  Status restart_waits_after(WallTime now) { return restart_waits_.run(now); }
  Status dead_letter(const DeliveryId& id, WallTime now, const std::string& error);
  // Makes a dead message due again.
  Status requeue(const DeliveryId& id, WallTime now);

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
  // Returns true when the message is in state `target`; `conflict` when it is neither there nor
  // waiting.
  Result<bool> is_already(const Row& row, const DeliveryId& id, OutboxState target) const;

  JobNumbers& jobs_;
  JournalTable& journal_;
  Statement insert_;
  Statement select_;
  Statement end_;
  Statement postpone_;
  Statement requeue_;
  Statement shift_waits_;
  Statement restart_waits_;
};

}  // namespace heddle::store
