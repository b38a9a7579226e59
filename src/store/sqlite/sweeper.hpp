// Takes away what was kept long enough, oldest first, a piece at a time. Writer thread only.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.hpp"
#include "store/history.hpp"
#include "store/sqlite/piece_pacer.hpp"
#include "store/sqlite/run_remover.hpp"
#include "store/sqlite/statement.hpp"
#include "store/sqlite/version_remover.hpp"

namespace heddle::store {

class Sweeper {
 public:
  Sweeper(Connection& db, RunRemover& runs, VersionRemover& versions);

  Result<SweptPiece> sweep(const SweepOrder& order, const PieceTime& time);

 private:
  // A row that may go.
  struct Old {
    std::int64_t id = 0;
    WallTime at{};
    std::int64_t bytes = 0;  // 0: whoever removes it finds out
    std::int64_t page = 0;   // of a version
    std::int64_t content = 0;
  };
  // What became of it.
  struct Removed {
    bool is_gone = false;
    bool is_interrupted = false;  // time was up: it must be looked at again
    std::int64_t bytes = 0;
  };

  Statement& select_for(HistoryClass what);
  Result<std::vector<Old>> look(HistoryClass what, std::int64_t after);
  Result<Removed> remove(const SweepOrder& order, const Old& row, const PieceTime& time);
  Result<Removed> remove_version(const Old& row);
  Result<Removed> remove_run(const SweepOrder& order, const Old& row, const PieceTime& time);
  Result<Removed> remove_traces(const Old& row, const PieceTime& time);
  Result<Removed> remove_message(const Old& row);
  Result<Removed> remove_price(const SweepOrder& order, const Old& row);
  Result<Removed> remove_letter(const Old& row);

  RunRemover& runs_;
  VersionRemover& versions_;
  Statement old_versions_;
  Statement old_runs_;
  Statement old_traces_;
  Statement old_events_;
  Statement old_messages_;
  Statement old_prices_;
  Statement old_letters_;
  Statement run_ended_at_;
  Statement delete_event_;
  Statement delete_message_;
  Statement add_to_price_day_;
  Statement delete_price_;
  Statement delete_message_of_letter_;
  Statement delete_letter_;
};

}  // namespace heddle::store
