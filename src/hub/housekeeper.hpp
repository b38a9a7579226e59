// Keeps a project's history within its [retention] rules, in the background: a small piece at a
// time, with rests in between that are longer than the pieces. One event loop; everything it is
// given outlives it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

#include "base/async.hpp"
#include "base/doorbell.hpp"
#include "base/log.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "model/retention.hpp"
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

  // Round after round until stop(); `after_round` is called after each.
  Async<void> keep_on(std::function<Async<void>()> after_round = nullptr);
  // One round: deleted jobs, all that is old or too much, the space it leaves.
  Async<Result<HousekeepingReport>> make_round();
  // For the rounds that begin from now on.
  void set_rules(const RetentionRules& rules) { rules_ = rules; }
  // There is something to do before the next round is due: a job was deleted.
  void look() {
    has_news_ = true;
    look_.ring();
  }
  void stop() {
    is_stopping_ = true;
    look_.ring_for_good();
  }

 private:
  Async<Status> finish_deletions(HousekeepingReport& report);
  Async<Status> sweep(store::HistoryClass what, KeepRule rule, HousekeepingReport& report);
  Async<Result<std::int64_t>> excess_of(store::HistoryClass what, std::int64_t allowed);
  Async<Status> give_space_back(HousekeepingReport& report);
  // After a piece that took so long.
  Async<void> rest(std::chrono::steady_clock::time_point begun);

  HousekeeperParts parts_;
  RetentionRules rules_;
  bool is_stopping_ = false;
  bool has_news_ = false;  // since the last round began
  Doorbell look_;
};

// The same for whoever has no daemon: what is left of deleted jobs goes at once.
Async<Status> finish_deletions(store::History& history);

}  // namespace heddle::hub
