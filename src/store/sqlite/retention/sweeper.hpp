// Removes expired history, oldest first, in batches. Writer thread only.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.hpp"
#include "store/history.hpp"
#include "store/sqlite/core/statement.hpp"
#include "store/sqlite/retention/batch_pacer.hpp"
#include "store/sqlite/retention/run_remover.hpp"
#include "store/sqlite/retention/version_remover.hpp"

namespace heddle::store {

class Sweeper {
 public:
  Sweeper(Connection& db, RunRemover& runs, VersionRemover& versions);

  Result<SweepBatch> sweep(const SweepRequest& request, const BatchDeadline& deadline);

 private:
  // A candidate for removal.
  struct OldRow {
    std::int64_t id = 0;
    WallTime at{};
    std::int64_t bytes = 0;  // 0: determined on removal
    std::int64_t page = 0;   // of a version
    std::int64_t content = 0;
  };
  struct Removed {
    bool is_gone = false;
    bool is_interrupted = false;  // the deadline has passed: select it again
    std::int64_t bytes = 0;
  };

  Statement& select_for(HistoryClass what);
  Result<std::vector<OldRow>> select_old(HistoryClass what, std::int64_t after);
  Result<Removed> remove(const SweepRequest& request, const OldRow& row,
                         const BatchDeadline& deadline);
  Result<Removed> remove_version(const OldRow& row);
  Result<Removed> remove_run(const SweepRequest& request, const OldRow& row,
                             const BatchDeadline& deadline);
  Result<Removed> remove_traces(const OldRow& row, const BatchDeadline& deadline);
  Result<Removed> remove_message(const OldRow& row);
  Result<Removed> remove_price(const SweepRequest& request, const OldRow& row);
  Result<Removed> remove_dead_letter(const OldRow& row);

  RunRemover& runs_;
  VersionRemover& versions_;
  Statement old_versions_;
  Statement old_runs_;
  Statement old_traces_;
  Statement old_events_;
  Statement old_messages_;
  Statement old_prices_;
  Statement old_dead_letters_;
  Statement run_ended_at_;
  Statement delete_event_;
  Statement delete_message_;
  Statement add_to_price_day_;
  Statement delete_price_;
  Statement delete_message_of_dead_letter_;
  Statement delete_dead_letter_;
};

}  // namespace heddle::store
