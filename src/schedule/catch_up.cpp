#include "schedule/catch_up.hpp"

#include <algorithm>

namespace heddle::schedule {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLongestStepBack = std::chrono::hours(3);

// How far `handled_until` may be ahead of the clock.
milliseconds longest_wait(const Schedule& schedule, std::uint64_t seed, WallTime handled_until) {
  if (const auto* interval = std::get_if<Interval>(&schedule.when))
    return std::min(kLongestStepBack, interval->length);
  const auto* cron = std::get_if<CronExpression>(&schedule.when);
  if (cron == nullptr || !(cron->minute_varies || cron->hour_varies)) return kLongestStepBack;
  const auto first = next_tick(schedule, seed, handled_until);
  const auto second = first ? next_tick(schedule, seed, first->planned) : std::nullopt;
  return second ? std::min(kLongestStepBack, second->planned - first->planned) : kLongestStepBack;
}

std::optional<PlannedTick> regular(const std::optional<Tick>& tick) {
  if (!tick) return std::nullopt;
  return PlannedTick{.tick = *tick, .covers_until = tick->planned};
}

std::optional<PlannedTick> first_of_all(const Schedule& schedule, std::uint64_t seed,
                                        WallTime now) {
  const bool starts_at_once = std::holds_alternative<Interval>(schedule.when) &&
                              is_active(schedule.active_hours, *schedule.zone, now);
  if (starts_at_once) return PlannedTick{.tick = {now, now}, .covers_until = now};
  return regular(next_tick(schedule, seed, now));
}

}  // namespace

std::optional<PlannedTick> plan_next(const Schedule& schedule, std::uint64_t seed,
                                     std::optional<WallTime> handled_until, WallTime now,
                                     const CatchUpRules& rules) {
  if (!handled_until) return first_of_all(schedule, seed, now);
  if (*handled_until > now && *handled_until - now > longest_wait(schedule, seed, *handled_until))
    handled_until = now;
  const auto first = next_tick(schedule, seed, *handled_until);
  if (!first || first->planned > now) return regular(first);

  const auto following = next_tick(schedule, seed, now);
  const bool is_just_late =
      now - first->planned <= rules.grace && next_tick(schedule, seed, first->planned) == following;
  // Jitter may still delay a tick whose planned time has passed.
  if (is_just_late || first->due > now) return regular(first);
  if (rules.misfire == MisfirePolicy::skip) return regular(following);

  const auto share = rules.spread <= milliseconds(0)
                         ? milliseconds(0)
                         : milliseconds(static_cast<std::int64_t>(
                               seed % static_cast<std::uint64_t>(rules.spread.count())));
  const auto due = next_active(schedule.active_hours, *schedule.zone, now + share);
  if (!due || (following && following->due <= *due)) return regular(following);
  return PlannedTick{.tick = {first->planned, *due}, .covers_until = now, .is_catch_up = true};
}

milliseconds spread_for(std::size_t jobs_behind, std::size_t runs_in_parallel,
                        milliseconds misfire_spread) {
  return jobs_behind > runs_in_parallel ? misfire_spread : milliseconds(0);
}

}  // namespace heddle::schedule
