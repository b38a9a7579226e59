#include "hub/housekeeper.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/pause.hpp"

namespace heddle::hub {

using store::HistoryClass;
using Steady = std::chrono::steady_clock;

namespace {

constexpr std::chrono::minutes kBetweenRounds{10};
constexpr std::chrono::hours kLongestDay{25};  // with a change of the clock in it
// Upkeep has at most a quarter of the writer's time, and leaves it to others when it is slow.
constexpr int kRestFactor = 3;
constexpr std::chrono::milliseconds kLongestRest{200};

}  // namespace

Housekeeper::Housekeeper(HousekeeperParts parts, RetentionRules rules)
    : parts_(std::move(parts)), rules_(rules) {}

Async<void> Housekeeper::keep_on(std::function<Async<void>()> after_round) {
  while (!is_stopping_) {
    has_news_ = false;
    const auto report = co_await make_round();
    if (!report) parts_.log.warn("old history: " + report.error().message);
    if (report && report->removed > 0)
      parts_.log.info(fmt::format("{} rows of old history are gone", report->removed));
    if (is_stopping_) co_return;
    if (after_round) co_await after_round();
    if (!has_news_) co_await look_.wait(Steady::now() + kBetweenRounds);
  }
}

Async<Result<HousekeepingReport>> Housekeeper::make_round() {
  HousekeepingReport report;
  auto deleted = co_await finish_deletions(report);
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
  for (const auto& [what, rule] : classes) {
    auto swept = co_await sweep(what, rule, report);
    if (!swept) co_return std::move(swept).error();
  }
  auto given = co_await give_space_back(report);
  if (!given) co_return std::move(given).error();
  co_return report;
}

Async<Status> Housekeeper::finish_deletions(HousekeepingReport& report) {
  while (!is_stopping_) {
    const auto begun = Steady::now();
    const auto more = co_await parts_.history.continue_deletions();
    if (!more) co_return more.error();
    if (!*more) break;
    ++report.pieces;
    co_await rest(begun);
  }
  co_return Done{};
}

Async<Status> Housekeeper::sweep(HistoryClass what, KeepRule rule, HousekeepingReport& report) {
  const auto excess = co_await excess_of(what, rule.bytes);
  if (!excess) co_return excess.error();
  store::SweepOrder order;
  order.what = what;
  order.before = parts_.clock.now() - rule.time;
  order.excess = *excess;
  // Quotas are counted from the runs of the day, wherever it begins.
  if (what == HistoryClass::runs) order.kept_from = parts_.clock.now() - kLongestDay;
  order.day_of = parts_.day_of;
  while (!is_stopping_) {
    const auto begun = Steady::now();
    store::SweepOrder next = order;
    const auto piece = co_await parts_.history.sweep(std::move(next));
    if (!piece) co_return piece.error();
    ++report.pieces;
    report.removed += piece->removed;
    order.after = piece->after;
    order.excess -= piece->bytes;
    if (piece->is_last) break;
    co_await rest(begun);
  }
  co_return Done{};
}

// Nothing is measured when nothing is limited.
Async<Result<std::int64_t>> Housekeeper::excess_of(HistoryClass what, std::int64_t allowed) {
  if (allowed == 0) co_return 0;
  std::int64_t bytes = 0;
  store::MeasuredPiece piece;
  do {
    const auto next = co_await parts_.history.measure(what, piece.after);
    if (!next) co_return next.error();
    piece = *next;
    bytes += piece.bytes;
  } while (!piece.is_last && !is_stopping_);
  co_return std::max<std::int64_t>(0, bytes - allowed);
}

Async<Status> Housekeeper::give_space_back(HousekeepingReport& report) {
  while (!is_stopping_) {
    const auto begun = Steady::now();
    const auto more = co_await parts_.history.give_back_space();
    if (!more) co_return more.error();
    ++report.pieces;
    if (!*more) break;
    co_await rest(begun);
  }
  co_return Done{};
}

Async<void> Housekeeper::rest(Steady::time_point begun) {
  const auto taken = std::chrono::duration_cast<std::chrono::milliseconds>(Steady::now() - begun);
  co_await pause_for(std::min(kRestFactor * taken, kLongestRest));
}

Async<Status> finish_deletions(store::History& history) {
  while (true) {
    const auto more = co_await history.continue_deletions();
    if (!more) co_return more.error();
    if (!*more) co_return Done{};
  }
}

}  // namespace heddle::hub
