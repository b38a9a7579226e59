// Tracks the dead letters whose pages a run retries: no page is in two places, and none is lost
// when the run ends before reaching it. Writer thread only.
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.hpp"
#include "base/time.hpp"
#include "model/notify/dead_letter.hpp"
#include "store/sqlite/core/statement.hpp"
#include "store/sqlite/tables/journal_table.hpp"

namespace heddle::store {

class InFlightDeadLetters {
 public:
  InFlightDeadLetters(Connection& db, JournalTable& journal);

  // Moves the dead letter to this task. Of several dead letters of one page the first one assigned
  // is kept, with the attempts of all.
  Status assign(DeadLetterId dead_letter, std::int64_t run, std::int64_t task);

  // Returns the page's attempts before this run; nullopt when it was not dead-lettered.
  struct PreviousAttempts {
    std::int64_t attempts = 0;
    std::int64_t first_failed_at = 0;
  };
  Result<std::optional<PreviousAttempts>> previous_attempts(std::int64_t run, std::int64_t task);

  // Call when the run ends: pages without an outcome become dead letters again, with their old ids.
  Status restore_unfinished(std::int64_t run, std::string_view run_id, WallTime now);

 private:
  Status report_unfinished(std::int64_t run, std::string_view run_id, WallTime now);

  JournalTable& journal_;
  Statement assign_;
  Statement drop_;
  Statement previous_;
  Statement any_;
  Statement unfinished_;
  Statement restore_;
  Statement clear_;
};

}  // namespace heddle::store
