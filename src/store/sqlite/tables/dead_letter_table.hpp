// Reads, retries and purges dead letters; each is removed in the transaction that handles it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/notify/dead_letter.hpp"
#include "store/sqlite/core/statement.hpp"
#include "store/sqlite/tables/in_flight_dead_letters.hpp"
#include "store/sqlite/tables/journal_table.hpp"
#include "store/sqlite/tables/outbox_table.hpp"
#include "store/sqlite/tables/task_table.hpp"

namespace heddle::store {

// Works on a read-only connection. Same thread as its connection.
class DeadLetterRows {
 public:
  explicit DeadLetterRows(Connection& db);

  // Newest first; an empty job selects all jobs.
  // With a smaller id than `before`.
  Result<std::vector<DeadLetter>> of_job(const JobId& job, std::size_t max, DeadLetterId before);
  Result<std::optional<DeadLetter>> find(DeadLetterId id);

 private:
  static DeadLetter read(const Rows& rows);

  Statement all_;
  Statement by_job_;
  Statement by_id_;
};

// Writer thread only. See Store for the methods.
class DeadLetterTable {
 public:
  // Tables that receive the retried pages and messages.
  struct Targets {
    TaskTable& tasks;
    InFlightDeadLetters& in_flight;
    OutboxTable& outbox;
  };
  DeadLetterTable(Connection& db, JournalTable& journal, Targets targets);

  Result<std::int64_t> begin_run(const Run& run, const std::vector<DeadLetterId>& dead_letters);
  Status resend(const std::vector<DeadLetterId>& dead_letters, WallTime now);
  Result<std::int64_t> purge(const std::vector<DeadLetterId>& dead_letters, WallTime now);

 private:
  struct Row {
    DeadLetterId id = 0;
    DeadLetterOrigin origin = DeadLetterOrigin::page;
    std::int64_t job_number = 0;
    std::string job;
    std::string delivery;
    std::string payload;
  };

  Result<std::optional<Row>> find(DeadLetterId id);
  // `not_found` when one does not exist, `bad_input` when it has another origin.
  Result<std::vector<Row>> find_all(const std::vector<DeadLetterId>& dead_letters,
                                    DeadLetterOrigin origin);
  Status remove_all(const std::vector<Row>& rows);

  JournalTable& journal_;
  TaskTable& tasks_;
  InFlightDeadLetters& in_flight_;
  OutboxTable& outbox_;
  Statement select_;
  Statement delete_;
};

}  // namespace heddle::store
