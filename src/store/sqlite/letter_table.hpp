// Dead letters, read and taken away: each goes in one piece with what is done about it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/dead_letter.hpp"
#include "store/sqlite/journal_table.hpp"
#include "store/sqlite/letters_in_hand.hpp"
#include "store/sqlite/outbox_table.hpp"
#include "store/sqlite/statement.hpp"
#include "store/sqlite/task_table.hpp"

namespace heddle::store {

// The reading half, so that it also works on a read-only connection. Same thread as that.
class LetterRows {
 public:
  explicit LetterRows(Connection& db);

  // Newest first; an empty job: of all.
  Result<std::vector<DeadLetter>> of_job(const JobId& job, std::size_t max);
  Result<std::optional<DeadLetter>> find(LetterId id);

 private:
  static DeadLetter read(const Rows& rows);

  Statement all_;
  Statement by_job_;
  Statement by_id_;
};

// Writer thread only. See Store for what these do.
class LetterTable {
 public:
  // Where letters go.
  struct Ways {
    TaskTable& tasks;
    LettersInHand& in_hand;
    OutboxTable& outbox;
  };
  LetterTable(Connection& db, JournalTable& journal, Ways ways);

  Result<std::int64_t> begin_run(const Run& run, const std::vector<LetterId>& letters);
  Status resend(const std::vector<LetterId>& letters, WallTime now);
  Result<std::int64_t> purge(const std::vector<LetterId>& letters, WallTime now);

 private:
  struct Row {
    LetterId id = 0;
    LetterOrigin origin = LetterOrigin::page;
    std::int64_t job_number = 0;
    std::string job;
    std::string delivery;
    std::string payload;
  };

  Result<std::optional<Row>> find(LetterId id);
  // `not_found` when one is not there, `bad_input` when it is of another origin.
  Result<std::vector<Row>> find_all(const std::vector<LetterId>& letters, LetterOrigin origin);
  Status take_away(const std::vector<Row>& rows);

  JournalTable& journal_;
  TaskTable& tasks_;
  LettersInHand& in_hand_;
  OutboxTable& outbox_;
  Statement select_;
  Statement delete_;
};

}  // namespace heddle::store
