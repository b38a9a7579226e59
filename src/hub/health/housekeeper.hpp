// Housekeeper prunes a project's history to its [retention] rules in the background, in small
// pieces with longer pauses in between. Single event loop; everything passed in outlives it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

#include "base/async.hpp"
#include "base/log/log.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "base/wake_signal.hpp"
#include "model/job/retention.hpp"
#include "store/history.hpp"

namespace heddle::hub {

struct HousekeeperParts {
  store::History& history;
  const Clock& clock;
  Log& log;
  // The day in the project's time zone, counted from 1970. Thread-safe.
  std::function<std::int64_t(WallTime)> day_of;
};

struct HousekeepingReport {
  std::int64_t removed = 0;  // rows of history
  std::int64_t pieces = 0;
};

class Housekeeper {
 public:
  Housekeeper(HousekeeperParts parts, RetentionRules rules);

  // Runs round after round until stop() and calls `after_round` after each.
  Async<void> run(std::function<Async<void>()> after_round = nullptr);
  // One round: removes deleted jobs and excess history, then reclaims space.
  Async<Result<HousekeepingReport>> run_once();
  // Takes effect with the next round.
  void set_rules(const RetentionRules& rules) { rules_ = rules; }
  // Starts the next round early: a job was deleted.
  void wake() {
    has_work_ = true;
    wake_.notify();
  }
  void stop() {
    is_stopping_ = true;
    wake_.close();
  }

 private:
  Async<Status> finish_deletions(HousekeepingReport& report);
  Async<Status> prune(store::HistoryClass what, KeepRule rule, HousekeepingReport& report);
  Async<Result<std::int64_t>> excess_of(store::HistoryClass what, std::int64_t allowed);
  Async<Status> reclaim_space(HousekeepingReport& report);
  // Pauses in proportion to the duration of the last piece.
  Async<void> throttle(std::chrono::steady_clock::time_point begun);

  HousekeeperParts parts_;
  RetentionRules rules_;
  bool is_stopping_ = false;
  bool has_work_ = false;  // since the last round began
  WakeSignal wake_;
};

// Removes the rest of deleted jobs without pauses, for use without a daemon.
Async<Status> finish_deletions(store::History& history);

}  // namespace heddle::hub
