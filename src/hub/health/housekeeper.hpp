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
  // False: nothing is removed because of its age (the clock may be wrong). Unset: true.
  std::function<bool()> can_trust_ages{};
};

class Housekeeper {
 public:
  Housekeeper(HousekeeperParts parts, RetentionRules rules)
      : parts_(std::move(parts)), rules_(rules) {}

  // Runs round after round until stop() and calls `after_round` after each.
  Async<void> run(std::function<Async<void>()> after_round = nullptr);
  // One round: removes deleted jobs and excess history, then reclaims space. Returns how many rows
  // of history it removed.
  Async<Result<std::int64_t>> run_once();
  // Takes effect with the next round.
  void set_rules(const RetentionRules& rules) { rules_ = rules; }
  // Starts the next round early: a job was deleted.
  void wake() {
    has_work_ = true;
    wake_.notify();
  }
  void stop() { wake_.close(); }

 private:
  Async<Result<std::int64_t>> prune(store::HistoryClass what, KeepRule rule);
  Async<Result<std::int64_t>> excess_of(store::HistoryClass what, std::int64_t allowed);
  // Repeats the step until nothing is left for it.
  Async<Status> exhaust(Async<Result<bool>> (store::History::*step)());
  // Pauses in proportion to the duration of the last piece.
  Async<void> throttle(std::chrono::steady_clock::time_point begun);

  HousekeeperParts parts_;
  RetentionRules rules_;
  bool has_work_ = false;  // since the last round began
  WakeSignal wake_;
};

// Removes the rest of deleted jobs without pauses, for use without a daemon.
Async<Status> finish_deletions(store::History& history);

}  // namespace heddle::hub
