// Dead letters whose pages a run tries again: no page is in two places, and none is lost when the
// run ends before it has come to it. Writer thread only.
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.hpp"
#include "base/time.hpp"
#include "model/dead_letter.hpp"
#include "store/sqlite/journal_table.hpp"
#include "store/sqlite/statement.hpp"

namespace heddle::store {

class LettersInHand {
 public:
  LettersInHand(Connection& db, JournalTable& journal);

  // The letter goes from the dead letters to this task. Of several letters of one page the first
  // that is taken stays, with the attempts of all of them.
  Status take(LetterId letter, std::int64_t run, std::int64_t task);

  // What the page went through before this run; nullopt: it is not of a letter.
  struct Past {
    std::int64_t attempts = 0;
    std::int64_t first_failed_at = 0;
  };
  Result<std::optional<Past>> past_of(std::int64_t run, std::int64_t task);

  // The run ends: letters whose pages have no outcome are dead letters again, under the numbers
  // they had.
  Status give_back(std::int64_t run, std::string_view run_id, WallTime now);

 private:
  Status tell_unfinished(std::int64_t run, std::string_view run_id, WallTime now);

  JournalTable& journal_;
  Statement take_;
  Statement drop_;
  Statement past_;
  Statement any_;
  Statement unfinished_;
  Statement give_back_;
  Statement forget_;
};

}  // namespace heddle::store
