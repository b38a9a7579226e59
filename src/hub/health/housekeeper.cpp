#include "hub/health/housekeeper.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/pause.hpp"
#include "base/quantity.hpp"

namespace heddle::hub {

using store::HistoryClass;
using Steady = std::chrono::steady_clock;

namespace {

constexpr std::chrono::minutes kInterval{10};
constexpr std::chrono::hours kMaxDayLength{25};  // on a change to winter time
// Uses at most a quarter of the writer's time.
constexpr int kThrottleFactor = 3;
constexpr std::chrono::milliseconds kMaxThrottle{200};

}  // namespace

Async<void> Housekeeper::run(std::function<Async<void>()> after_round) {
  while (!wake_.is_closed()) {
    has_work_ = false;
    const auto removed = co_await run_once();
    if (!removed) parts_.log.warn("removing old history failed: " + removed.error().message);
    if (removed && *removed > 0)
      parts_.log.info(fmt::format("removed {} of old history", counted(*removed, "row")));
    if (wake_.is_closed()) co_return;
    if (after_round) co_await after_round();
    if (!has_work_) co_await wake_.wait(Steady::now() + kInterval);
  }
}

Async<Result<std::int64_t>> Housekeeper::run_once() {
  auto deleted = co_await exhaust(&store::History::continue_deletions);
  if (!deleted) co_return std::move(deleted).error();
  // Traces before their runs, dead letters before the messages they keep.
  const std::array<std::pair<HistoryClass, KeepRule>, 7> classes{{
      {HistoryClass::versions, rules_.versions},
      {HistoryClass::traces, rules_.traces},
      {HistoryClass::runs, rules_.runs},
      {HistoryClass::prices, rules_.prices},
      {HistoryClass::dead_letters, rules_.dead_letters},
      {HistoryClass::messages, rules_.events},
      {HistoryClass::events, rules_.events},
  }};
  std::int64_t removed = 0;
  for (const auto& [what, rule] : classes) {
    auto pruned = co_await prune(what, rule);
    if (!pruned) co_return pruned;
    removed += *pruned;
  }
  auto reclaimed = co_await exhaust(&store::History::release_space);
  if (!reclaimed) co_return std::move(reclaimed).error();
  co_return removed;
}

Async<Status> Housekeeper::exhaust(Async<Result<bool>> (store::History::*step)()) {
  while (!wake_.is_closed()) {
    const auto begun = Steady::now();
    const auto more = co_await (parts_.history.*step)();
    if (!more) co_return more.error();
    if (!*more) break;
    co_await throttle(begun);
  }
  co_return Done{};
}

Async<Result<std::int64_t>> Housekeeper::prune(HistoryClass what, KeepRule rule) {
  const auto excess = co_await excess_of(what, rule.bytes);
  if (!excess) co_return excess.error();
  store::SweepRequest order;
  order.what = what;
  const bool can_trust_ages = !parts_.can_trust_ages || parts_.can_trust_ages();
  order.before = can_trust_ages ? parts_.clock.now() - rule.time : WallTime{};
  order.excess = *excess;
  // Quotas are computed from the runs of the day, in any time zone.
  if (what == HistoryClass::runs) order.kept_from = parts_.clock.now() - kMaxDayLength;
  order.day_of = parts_.day_of;
  std::int64_t removed = 0;
  while (!wake_.is_closed()) {
    const auto begun = Steady::now();
    const auto piece = co_await parts_.history.sweep(order);
    if (!piece) co_return piece.error();
    removed += piece->removed;
    order.after = piece->after;
    order.excess -= piece->bytes;
    if (piece->is_last) break;
    co_await throttle(begun);
  }
  co_return removed;
}

// Without a size limit nothing is measured.
Async<Result<std::int64_t>> Housekeeper::excess_of(HistoryClass what, std::int64_t allowed) {
  if (allowed == 0) co_return 0;
  std::int64_t bytes = 0;
  store::MeasuredBatch piece;
  do {
    const auto next = co_await parts_.history.measure(what, piece.after);
    if (!next) co_return next.error();
    piece = *next;
    bytes += piece.bytes;
  } while (!piece.is_last && !wake_.is_closed());
  co_return std::max<std::int64_t>(0, bytes - allowed);
}

Async<void> Housekeeper::throttle(Steady::time_point begun) {
  const auto taken = std::chrono::duration_cast<std::chrono::milliseconds>(Steady::now() - begun);
  co_await pause_for(std::min(kThrottleFactor * taken, kMaxThrottle));
}

Async<Status> finish_deletions(store::History& history) {
  while (true) {
    const auto more = co_await history.continue_deletions();
    if (!more) co_return more.error();
    if (!*more) co_return Done{};
  }
}

}  // namespace heddle::hub
