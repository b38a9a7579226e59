#include "schedule/catch_up.hpp"

#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "schedule/zones_for_test.hpp"

namespace heddle::schedule {
namespace {

using namespace std::chrono_literals;

Schedule hourly(std::string_view active = {}) {
  Schedule schedule{.when = *parse_cron("@hourly"),
                    .zone = std::make_shared<const TimeZone>(zone_named(kBerlinRule))};
  if (!active.empty()) schedule.active_hours = *parse_active_hours(active);
  return schedule;
}

Schedule by_cron(std::string_view expression) {
  Schedule schedule = hourly();
  schedule.when = *parse_cron(expression);
  return schedule;
}

Schedule every(std::chrono::milliseconds length) {
  return {.when = Interval{length},
          .zone = std::make_shared<const TimeZone>(zone_named(kBerlinRule))};
}

const WallTime kTen = at("2026-11-16T10:00Z");

TEST(CatchUp, PlansTheNextTickWhenNoneWasMissed) {
  const auto next = plan_next(hourly(), 5, kTen, kTen + 20min, {});
  ASSERT_TRUE(next);
  EXPECT_EQ(next->tick.planned, kTen + 1h);
  EXPECT_EQ(next->covers_until, kTen + 1h);
  EXPECT_FALSE(next->is_catch_up);
}

TEST(CatchUp, RunsOnceForAllMissedTicks) {
  const WallTime now = kTen + 5h + 20min;
  const auto next = plan_next(hourly(), 5, kTen, now, {});
  ASSERT_TRUE(next);
  EXPECT_TRUE(next->is_catch_up);
  EXPECT_EQ(next->tick.planned, kTen + 1h);
  EXPECT_EQ(next->tick.due, now);
  const auto after_it = plan_next(hourly(), 5, next->covers_until, now + 1s, {});
  ASSERT_TRUE(after_it);
  EXPECT_EQ(after_it->tick.planned, kTen + 6h);
}

TEST(CatchUp, SkipsMissedTicksWhenConfigured) {
  const auto next =
      plan_next(hourly(), 5, kTen, kTen + 5h + 20min, {.misfire = MisfirePolicy::skip});
  ASSERT_TRUE(next);
  EXPECT_FALSE(next->is_catch_up);
  EXPECT_EQ(next->tick.planned, kTen + 6h);
}

TEST(CatchUp, TreatsALateTickAsNoMisfire) {
  const CatchUpRules rules{.misfire = MisfirePolicy::skip, .spread = 5min};
  const auto late = plan_next(hourly(), 5, kTen, kTen + 1h + 10s, rules);
  ASSERT_TRUE(late);
  EXPECT_EQ(late->tick.due, kTen + 1h);
  const auto too_late = plan_next(hourly(), 5, kTen, kTen + 1h + 11s, rules);
  ASSERT_TRUE(too_late);
  EXPECT_EQ(too_late->tick.due, kTen + 2h);
}

TEST(CatchUp, RunsShortIntervalsOnceAfterAGap) {
  // Ten ticks are missed within the grace of a single one.
  const auto next = plan_next(every(1s), 5, kTen, kTen + 10s, {.misfire = MisfirePolicy::skip});
  ASSERT_TRUE(next);
  EXPECT_GT(next->tick.due, kTen + 10s);
}

TEST(CatchUp, SpreadsManyJobs) {
  std::set<WallTime> due;
  const WallTime now = kTen + 1h + 20min;
  for (std::uint64_t job = 0; job < 1000; ++job) {
    const auto next = plan_next(hourly(), job * 977'777'777, kTen, now, {.spread = 5min});
    ASSERT_TRUE(next);
    ASSERT_GE(next->tick.due, now);
    ASSERT_LT(next->tick.due, now + 5min);
    due.insert(next->tick.due);
  }
  EXPECT_GT(due.size(), 900u);
}

TEST(CatchUp, SpreadsOnlyAboveTheParallelRunLimit) {
  EXPECT_EQ(spread_for(256, 256, 5min), 0ms);
  EXPECT_EQ(spread_for(257, 256, 5min), 5min);
}

TEST(CatchUp, PrefersTheNextTickWhenThatComesFirst) {
  const auto next = plan_next(every(1s), 599, kTen, kTen + 1h, {.spread = 5min});
  ASSERT_TRUE(next);
  EXPECT_FALSE(next->is_catch_up);
  EXPECT_LE(next->tick.due, kTen + 1h + 1s);
}

TEST(CatchUp, WaitsForTheActiveHours) {
  // Missed in the evening, found at night: Berlin is an hour ahead.
  const auto next =
      plan_next(hourly("08:30-18:00"), 5, at("2026-11-16T15:00Z"), at("2026-11-16T22:00Z"), {});
  ASSERT_TRUE(next);
  EXPECT_TRUE(next->is_catch_up);
  EXPECT_EQ(next->tick.due, at("2026-11-17T07:30Z"));
}

TEST(CatchUp, RunsANewIntervalJobImmediatelyAndThenOnItsGrid) {
  const auto first = plan_next(every(10min), 5, std::nullopt, kTen, {});
  ASSERT_TRUE(first);
  EXPECT_EQ(first->tick.due, kTen);
  const auto second = plan_next(every(10min), 5, first->covers_until, kTen + 1s, {});
  ASSERT_TRUE(second);
  EXPECT_EQ(second->tick, next_tick(every(10min), 5, kTen));
}

TEST(CatchUp, MakesANewCronJobWaitForItsTick) {
  const auto first = plan_next(hourly(), 5, std::nullopt, kTen + 1min, {});
  ASSERT_TRUE(first);
  EXPECT_EQ(first->tick.planned, kTen + 1h);
}

TEST(CatchUp, MakesANewIntervalJobWaitForItsActiveHours) {
  Schedule schedule = every(10min);
  schedule.active_hours = *parse_active_hours("08:00-09:00");
  const auto first = plan_next(schedule, 5, std::nullopt, kTen, {});
  ASSERT_TRUE(first);
  EXPECT_TRUE(is_active(schedule.active_hours, *schedule.zone, first->tick.due));
}

TEST(CatchUp, RepeatsNoTickWhenTheClockIsPutBack) {
  const auto next = plan_next(by_cron("0 11 * * *"), 5, kTen, kTen - 2h, {});
  ASSERT_TRUE(next);
  EXPECT_EQ(next->tick.planned, kTen + 24h);
  const auto hour = plan_next(hourly(), 5, kTen, kTen - 50min, {});
  ASSERT_TRUE(hour);
  EXPECT_EQ(hour->tick.planned, kTen + 1h);
  const auto interval = plan_next(every(10min), 5, kTen, kTen - 1min, {});
  ASSERT_TRUE(interval);
  EXPECT_GT(interval->tick.planned, kTen);
}

TEST(CatchUp, LetsCronJobsFollowElapsedTimeWhenTheClockIsPutBack) {
  const auto minutes = plan_next(by_cron("*/5 * * * *"), 5, kTen, kTen - 2h, {});
  ASSERT_TRUE(minutes);
  EXPECT_EQ(minutes->tick.planned, kTen - 2h + 5min);
  const auto hour = plan_next(hourly(), 5, kTen, kTen - 2h, {});
  ASSERT_TRUE(hour);
  EXPECT_EQ(hour->tick.planned, kTen - 1h);
}

TEST(CatchUp, ReplansFromNowAfterALargeStepBack) {
  const auto next = plan_next(hourly(), 5, at("2099-01-01T00:00Z"), kTen, {});
  ASSERT_TRUE(next);
  EXPECT_EQ(next->tick.planned, kTen + 1h);
  const auto interval = plan_next(every(10min), 5, kTen, kTen - 20min, {});
  ASSERT_TRUE(interval);
  EXPECT_LE(interval->tick.planned, kTen - 10min);
}

TEST(CatchUp, RunsOnceWhenTheClockJumpsForward) {
  const WallTime now = at("2031-01-01T00:30Z");
  const auto next = plan_next(hourly(), 5, kTen, now, {});
  ASSERT_TRUE(next);
  EXPECT_TRUE(next->is_catch_up);
  EXPECT_EQ(plan_next(hourly(), 5, next->covers_until, now, {})->tick.planned,
            at("2031-01-01T01:00Z"));
}

TEST(CatchUp, KeepsATickDelayedByItsJitter) {
  Schedule schedule = hourly();
  schedule.jitter = 50min;
  std::uint64_t seed = 0;
  while (next_tick(schedule, seed, kTen)->due < kTen + 1h + 30min) ++seed;
  const auto tick = next_tick(schedule, seed, kTen);
  const auto next =
      plan_next(schedule, seed, kTen, kTen + 1h + 20min, {.misfire = MisfirePolicy::skip});
  ASSERT_TRUE(next);
  EXPECT_EQ(next->tick, tick);
}

TEST(CatchUp, PlansNothingForOnDemandJobs) {
  const Schedule schedule{.when = OnDemand{}, .zone = hourly().zone};
  EXPECT_FALSE(plan_next(schedule, 5, std::nullopt, kTen, {}));
  EXPECT_FALSE(plan_next(schedule, 5, kTen, kTen + 1h, {}));
}

// The daemon crashes at random moments, sometimes before it recorded the planned run.
TEST(CatchUp, RunsEveryTickExactlyOnceAcrossRestarts) {
  const Schedule schedule = hourly();
  std::mt19937 random(3);
  std::map<WallTime, int> runs_for;  // number of runs per tick
  WallTime now = kTen;
  WallTime handled = kTen;
  while (now < kTen + 1000h) {
    const auto next = plan_next(schedule, 5, handled, now, {});
    ASSERT_TRUE(next);
    const WallTime death = now + std::chrono::seconds(random() % 9000);
    if (next->tick.due <= death) {
      for (WallTime tick = next->tick.planned; tick <= next->covers_until; tick += 1h)
        ++runs_for[tick];
      handled = next->covers_until;
      now = std::max(now, next->tick.due);
    }
    if (random() % 3 == 0) now = death + std::chrono::seconds(random() % 20'000);
  }
  for (WallTime tick = kTen + 1h; tick <= handled; tick += 1h)
    ASSERT_EQ(runs_for[tick], 1) << shown(tick);
  EXPECT_GT(handled, kTen + 900h);
}

}  // namespace
}  // namespace heddle::schedule
