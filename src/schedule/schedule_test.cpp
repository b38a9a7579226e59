#include "schedule/schedule.hpp"

#include <set>

#include <gtest/gtest.h>

#include "schedule/zones_for_test.hpp"

namespace heddle::schedule {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

std::shared_ptr<const TimeZone> shared_zone(std::string_view name) {
  return std::make_shared<const TimeZone>(zone_named(name));
}

ActiveHours hours(std::string_view text) {
  auto spans = parse_active_hours(text);
  EXPECT_TRUE(spans) << text;
  return spans ? *spans : ActiveHours();
}

Schedule every(milliseconds length, std::string_view active = {}) {
  return {.when = Interval{length},
          .zone = shared_zone(kBerlinRule),
          .active_hours = active.empty() ? ActiveHours() : hours(active)};
}

Schedule cron(std::string_view expression, std::string_view active = {}) {
  return {.when = *parse_cron(expression),
          .zone = shared_zone(kBerlinRule),
          .active_hours = active.empty() ? ActiveHours() : hours(active)};
}

const WallTime kStart = at("2026-11-16T08:00Z");  // a Monday, 09:00 in Berlin

std::vector<WallTime> planned(const Schedule& schedule, std::uint64_t seed, int count) {
  std::vector<WallTime> times;
  WallTime after = kStart;
  for (int i = 0; i < count; ++i) {
    const auto tick = next_tick(schedule, seed, after);
    if (!tick) break;
    after = tick->planned;
    times.push_back(after);
  }
  return times;
}

TEST(IntervalSchedule, TicksWithoutDrift) {
  const Schedule schedule = every(10min);
  const std::uint64_t seed = seed_of(JobId{"shop"});
  const auto times = planned(schedule, seed, 1000);
  ASSERT_EQ(times.size(), 1000u);
  EXPECT_GT(times.front(), kStart);
  EXPECT_LE(times.front(), kStart + 10min);
  for (std::size_t i = 1; i < times.size(); ++i) ASSERT_EQ(times[i] - times[i - 1], 10min);
}

TEST(IntervalSchedule, KeepsItsPhaseFromAnyStart) {
  const Schedule schedule = every(7min);
  const std::uint64_t seed = seed_of(JobId{"shop"});
  const auto tick = next_tick(schedule, seed, kStart);
  ASSERT_TRUE(tick);
  for (const milliseconds before : {1ms, 500ms, 1000ms, 60'000ms, 419'999ms, 420'000ms})
    EXPECT_EQ(next_tick(schedule, seed, tick->planned - before), tick) << before.count();
}

TEST(IntervalSchedule, SpreadsJobsOverTheInterval) {
  const Schedule schedule = every(10min);
  std::array<int, 10> per_minute{};
  for (int i = 0; i < 10'000; ++i) {
    const auto tick = next_tick(schedule, seed_of(JobId{"job-" + std::to_string(i)}), kStart);
    const auto since = tick->planned - kStart - 1ms;
    ++per_minute.at(static_cast<std::size_t>(since / 1min));
  }
  for (const int count : per_minute) EXPECT_NEAR(count, 1000, 200);
}

TEST(IntervalSchedule, DropsNoTickBefore1970) {
  const Schedule schedule = every(10min);
  const WallTime early = at("1969-12-31T23:00Z");
  const auto tick = next_tick(schedule, 1234, early);
  ASSERT_TRUE(tick);
  EXPECT_GT(tick->planned, early);
  EXPECT_LE(tick->planned, early + 10min);
}

TEST(IntervalSchedule, TicksOnlyInActiveHours) {
  const Schedule schedule = every(10min, "Mon-Fri 08:00-18:00");
  for (const WallTime time : planned(schedule, seed_of(JobId{"shop"}), 500))
    ASSERT_TRUE(is_active(schedule.active_hours, *schedule.zone, time)) << shown(time);
  // Sixty ticks a day from Monday 09:00 on: fifty-three are left of the first day.
  EXPECT_EQ(planned(schedule, 0, 53 + 60 * 4 + 1).back(), at("2026-11-23T07:00Z"));
}

TEST(IntervalSchedule, MovesATickIntoTheActiveHours) {
  const Schedule schedule = every(24h, "08:00-10:00");
  for (std::uint64_t i = 0; i < 200; ++i) {
    const auto times = planned(schedule, seed_of(JobId{"job-" + std::to_string(i)}), 30);
    std::set<std::chrono::sys_days> days;
    for (const WallTime time : times) {
      ASSERT_TRUE(is_active(schedule.active_hours, *schedule.zone, time)) << shown(time);
      days.insert(std::chrono::floor<std::chrono::days>(time));
    }
    ASSERT_EQ(days.size(), 30u) << "a day with two ticks, for job " << i;
    ASSERT_EQ(*days.rbegin() - *days.begin(), std::chrono::days(29)) << "a day without, " << i;
  }
}

TEST(IntervalSchedule, MovesAWeeklyTickIntoTheOnlyActiveHour) {
  const auto times = planned(every(7 * 24h, "Mon 08:00-09:00"), seed_of(JobId{"weekly"}), 10);
  ASSERT_EQ(times.size(), 10u);
  for (std::size_t i = 1; i < times.size(); ++i) EXPECT_EQ(times[i] - times[i - 1], 7 * 24h);
}

TEST(IntervalSchedule, GivesTheSameTicksFromEveryStartInActiveHours) {
  for (const milliseconds length : {milliseconds(5h), milliseconds(24h), milliseconds(50h)}) {
    const Schedule schedule = every(length, "Mon-Fri 08:00-10:30, Sat 22:00-02:00");
    const auto times = planned(schedule, seed_of(JobId{"shop"}), 40);
    std::size_t next = 0;
    for (WallTime now = kStart; now < times.back(); now += 13min) {
      while (times[next] <= now) ++next;
      const auto tick = next_tick(schedule, seed_of(JobId{"shop"}), now);
      ASSERT_TRUE(tick);
      ASSERT_EQ(shown(tick->planned), shown(times[next])) << "after " << shown(now);
    }
  }
}

TEST(CronSchedule, DropsTicksOutsideOfActiveHours) {
  const Schedule schedule = cron("0 */4 * * *", "Mon-Fri 08:00-18:00");
  const auto times = planned(schedule, 0, 4);
  ASSERT_EQ(times.size(), 4u);
  EXPECT_EQ(times[0], at("2026-11-16T11:00Z"));
  EXPECT_EQ(times[1], at("2026-11-16T15:00Z"));
  EXPECT_EQ(times[2], at("2026-11-17T07:00Z"));
  EXPECT_EQ(times[3], at("2026-11-17T11:00Z"));
}

TEST(CronSchedule, NeverTicksWhenItMissesAllActiveHours) {
  EXPECT_EQ(next_tick(cron("0 3 * * *", "08:00-18:00"), 0, kStart), std::nullopt);
}

TEST(CronSchedule, FindsARareDayInActiveHours) {
  const auto tick = next_tick(cron("0 9 29 2 *", "Mon 08:00-18:00"), 0, kStart);
  ASSERT_TRUE(tick);
  EXPECT_EQ(tick->planned, at("2044-02-29T08:00Z"));
}

TEST(Schedule, NeverTicksOnDemand) {
  const Schedule schedule{.when = OnDemand{}, .zone = shared_zone(kBerlinRule)};
  EXPECT_EQ(next_tick(schedule, 0, kStart), std::nullopt);
  EXPECT_EQ(next_tick(every(0ms), 0, kStart), std::nullopt);
}

TEST(Jitter, IsTheSameForTheSameTick) {
  Schedule schedule = cron("0 * * * *");
  schedule.jitter = 10min;
  std::set<milliseconds> moved;
  for (int hour = 0; hour < 100; ++hour) {
    const auto tick = next_tick(schedule, 99, kStart + std::chrono::hours(hour));
    ASSERT_TRUE(tick);
    EXPECT_EQ(tick, next_tick(schedule, 99, kStart + std::chrono::hours(hour) + 59min));
    EXPECT_EQ(tick->planned, kStart + std::chrono::hours(hour + 1));
    EXPECT_GE(tick->due, tick->planned);
    EXPECT_LE(tick->due, tick->planned + 10min);
    moved.insert(tick->due - tick->planned);
  }
  EXPECT_GT(moved.size(), 90u);
}

TEST(Jitter, DiffersBetweenJobs) {
  Schedule schedule = cron("0 * * * *");
  schedule.jitter = 10min;
  std::set<WallTime> due;
  for (std::uint64_t job = 0; job < 100; ++job) due.insert(next_tick(schedule, job, kStart)->due);
  EXPECT_GT(due.size(), 90u);
}

TEST(Jitter, StaysBelowTheInterval) {
  Schedule schedule = every(1s);
  schedule.jitter = 1h;
  for (std::uint64_t job = 0; job < 1000; ++job) {
    const auto tick = next_tick(schedule, job, kStart);
    ASSERT_LT(tick->due - tick->planned, 1s);
  }
}

TEST(Jitter, StaysWithinTheActiveHours) {
  Schedule schedule = cron("59 17 * * *", "08:00-18:00");
  schedule.jitter = 1h;
  for (std::uint64_t job = 0; job < 300; ++job)
    ASSERT_LT(next_tick(schedule, job, kStart)->due, at("2026-11-16T17:00Z"));
}

TEST(ScheduleOfJob, AcceptsIntervalsCronExpressionsAndNeither) {
  ZoneCache zones("/nonexistent");
  Job job;
  job.timezone = "UTC";
  job.interval = 5min;
  EXPECT_EQ(std::get<Interval>(schedule_of(job, zones)->when).length, 5min);
  job.interval.reset();
  EXPECT_TRUE(std::holds_alternative<OnDemand>(schedule_of(job, zones)->when));
  job.schedule = "manual";
  EXPECT_TRUE(std::holds_alternative<OnDemand>(schedule_of(job, zones)->when));
  job.schedule = "@daily";
  EXPECT_TRUE(std::holds_alternative<CronExpression>(schedule_of(job, zones)->when));
  job.schedule = "61 * * * *";
  EXPECT_FALSE(schedule_of(job, zones));
  job.schedule = "@daily";
  job.timezone = "Mars/Olympus";
  EXPECT_FALSE(schedule_of(job, zones));
}

}  // namespace
}  // namespace heddle::schedule
