#include <gtest/gtest.h>

#include "schedule/cron_ticks.hpp"
#include "schedule/zones_for_test.hpp"

namespace heddle::schedule {
namespace {

constexpr const char* kBerlin = "Europe/Berlin";
constexpr const char* kNewYork = "America/New_York";
constexpr const char* kLordHowe = "Australia/Lord_Howe";

constexpr CronCase kZonesWithoutChanges[] = {
    {"Asia/Kolkata", "0 0 * * *", "2026-01-01T00:00Z", "2026-01-01T18:30Z 2026-01-02T18:30Z"},
    {"Asia/Kathmandu", "0 6 * * *", "2026-01-01T00:00Z", "2026-01-01T00:15Z 2026-01-02T00:15Z"},
    {"Asia/Tokyo", "30 23 * * Sun", "2026-01-03T00:00Z", "2026-01-04T14:30Z 2026-01-11T14:30Z"},
    {"Pacific/Kiritimati", "0 0 1 1 *", "2026-01-01T00:00Z", "2026-12-31T10:00Z"},
    {"Etc/GMT+12", "0 0 1 1 *", "2026-01-01T00:00Z", "2026-01-01T12:00Z 2027-01-01T12:00Z"},
    {"America/Phoenix", "30 2 * * *", "2026-03-07T12:00Z",
     "2026-03-08T09:30Z 2026-03-09T09:30Z 2026-03-10T09:30Z"},
    {"Asia/Dubai", "0 8 * * Mon-Fri", "2026-01-02T05:00Z", "2026-01-05T04:00Z"},
    {"Africa/Lagos", "@daily", "2026-01-01T00:00Z", "2026-01-01T23:00Z"},
    {"Asia/Shanghai", "*/30 9-10 * * *", "2026-01-01T00:00Z",
     "2026-01-01T01:00Z 2026-01-01T01:30Z 2026-01-01T02:00Z 2026-01-01T02:30Z"},
    {"Asia/Kathmandu", "*/15 * * * *", "2026-01-01T00:00Z", "2026-01-01T00:15Z 2026-01-01T00:30Z"},
};

TEST(CronTicks, FollowZonesWithoutChanges) {
  HEDDLE_NEEDS_ZONES();
  expect_all(kZonesWithoutChanges);
}

constexpr CronCase kFarFuture[] = {
    {kBerlinRule, "30 2 * 3 SunL", "2038-01-01T00:00Z",
     "2038-03-28T01:00Z 2039-03-27T01:00Z 2040-03-25T01:00Z"},
    {kBerlinRule, "30 2 * 10 SunL", "2060-01-01T00:00Z", "2060-10-31T00:30Z 2061-10-30T00:30Z"},
    {kBerlinRule, "30 2 28 3 *", "2026-03-28T02:00Z", "2027-03-28T01:00Z"},
    {kBerlinRule, "0 2 L 10 *", "2027-01-01T00:00Z", "2027-10-31T00:00Z 2028-10-31T01:00Z"},
    {kNewYorkRule, "0 2 * 3 Sun#2", "2040-01-01T00:00Z", "2040-03-11T07:00Z 2041-03-10T07:00Z"},
    {kNewYorkRule, "30 1 * 11 Sun#1", "2400-01-01T00:00Z", "2400-11-05T05:30Z 2401-11-04T05:30Z"},
    {kLordHoweRule, "15 2 * 10 Sun#1", "2045-01-01T00:00Z", "2045-09-30T15:30Z 2046-10-06T15:30Z"},
};

TEST(CronTicks, FollowTheYearlyRuleIndefinitely) {
  expect_all(kFarFuture);
}

constexpr CronCase kBerlinChanges[] = {
    {kBerlin, "30 2 * * *", "2026-03-27T12:00Z",
     "2026-03-28T01:30Z 2026-03-29T01:00Z 2026-03-30T00:30Z"},
    {kBerlin, "0 2 * * *", "2026-03-28T12:00Z", "2026-03-29T01:00Z 2026-03-30T00:00Z"},
    {kBerlin, "0 3 * * *", "2026-03-28T12:00Z", "2026-03-29T01:00Z 2026-03-30T01:00Z"},
    {kBerlin, "59 1 * * *", "2026-03-28T12:00Z", "2026-03-29T00:59Z 2026-03-29T23:59Z"},
    {kBerlin, "*/15 2 * * *", "2026-03-28T12:00Z",
     "2026-03-29T01:00Z 2026-03-30T00:00Z 2026-03-30T00:15Z"},
    {kBerlin, "*/30 1-3 * * *", "2026-03-28T23:00Z",
     "2026-03-29T00:00Z 2026-03-29T00:30Z 2026-03-29T01:00Z 2026-03-29T01:30Z 2026-03-29T23:00Z "
     "2026-03-29T23:30Z"},
    {kBerlin, "0 2,3 * * *", "2026-03-28T12:00Z",
     "2026-03-29T01:00Z 2026-03-30T00:00Z 2026-03-30T01:00Z"},
    {kBerlin, "* * * * *", "2026-03-29T00:58Z",
     "2026-03-29T00:59Z 2026-03-29T01:00Z 2026-03-29T01:01Z"},
    {kBerlin, "30 * * * *", "2026-03-28T23:30Z",
     "2026-03-29T00:30Z 2026-03-29T01:30Z 2026-03-29T02:30Z 2026-03-29T03:30Z"},
    {kBerlin, "@hourly", "2026-03-29T00:00Z", "2026-03-29T01:00Z 2026-03-29T02:00Z"},
    {kBerlin, "30 2 29 3 *", "2025-06-01T00:00Z", "2026-03-29T01:00Z"},
    {kBerlin, "30 2 * * Sun", "2026-03-23T00:00Z", "2026-03-29T01:00Z 2026-04-05T00:30Z"},
    {kBerlin, "15 30 2 * * *", "2026-03-28T12:00Z", "2026-03-29T01:00Z 2026-03-30T00:30:15Z"},
    {kBerlin, "*/10 59 1 * * *", "2026-03-29T00:59:45Z", "2026-03-29T00:59:50Z 2026-03-29T23:59Z"},
    {kBerlin, "30 2 * * *", "2026-10-24T12:00Z", "2026-10-25T00:30Z 2026-10-26T01:30Z"},
    {kBerlin, "30 2 * * *", "2026-10-25T00:30Z", "2026-10-26T01:30Z"},
    {kBerlin, "30 2 * * *", "2026-10-25T01:15Z", "2026-10-26T01:30Z"},
    {kBerlin, "0 3 * * *", "2026-10-24T12:00Z", "2026-10-25T02:00Z 2026-10-26T02:00Z"},
    {kBerlin, "0 2 * * *", "2026-10-24T12:00Z", "2026-10-25T00:00Z 2026-10-26T01:00Z"},
    {kBerlin, "*/30 * * * *", "2026-10-24T23:30Z",
     "2026-10-25T00:00Z 2026-10-25T00:30Z 2026-10-25T01:00Z 2026-10-25T01:30Z 2026-10-25T02:00Z"},
    {kBerlin, "59 2 * * *", "2026-10-25T00:00Z", "2026-10-25T00:59Z 2026-10-26T01:59Z"},
    {kBerlin, "* * * * *", "2026-10-25T00:58Z",
     "2026-10-25T00:59Z 2026-10-25T01:00Z 2026-10-25T01:01Z"},
    {kBerlin, "30 1 * * *", "2026-10-24T12:00Z", "2026-10-24T23:30Z 2026-10-26T00:30Z"},
    {kBerlin, "@daily", "2026-10-24T22:00Z", "2026-10-25T23:00Z 2026-10-26T23:00Z"},
    {kBerlin, "@daily", "2026-03-28T23:00Z", "2026-03-29T22:00Z 2026-03-30T22:00Z"},
    {kBerlin, "0 12 * * *", "2026-03-28T11:00Z", "2026-03-29T10:00Z 2026-03-30T10:00Z"},
};

TEST(CronTicks, RunOnceThroughTheChangesOfBerlin) {
  HEDDLE_NEEDS_ZONES();
  expect_all(kBerlinChanges);
}

// Never a gap longer than the step, and nothing twice.
TEST(CronTicks, PassTheChangesEveryFiveMinutes) {
  HEDDLE_NEEDS_ZONES();
  const TimeZone zone = zone_named(kBerlin);
  const auto cron = parse_cron("*/5 * * * *");
  ASSERT_TRUE(cron);
  for (const auto day : {std::chrono::sys_days(std::chrono::March / 29 / 2026),
                         std::chrono::sys_days(std::chrono::October / 25 / 2026)}) {
    std::chrono::sys_seconds tick = day;
    for (int i = 0; i < 288; ++i) {
      const auto next = next_tick(*cron, zone, tick);
      ASSERT_TRUE(next);
      ASSERT_EQ(*next - tick, std::chrono::minutes(5));
      tick = *next;
    }
  }
}

constexpr CronCase kNewYorkChanges[] = {
    {kNewYork, "30 2 * * *", "2026-03-07T12:00Z", "2026-03-08T07:00Z 2026-03-09T06:30Z"},
    {kNewYork, "0 2 * * *", "2026-03-07T12:00Z", "2026-03-08T07:00Z 2026-03-09T06:00Z"},
    {kNewYork, "0 3 * * *", "2026-03-07T12:00Z", "2026-03-08T07:00Z 2026-03-09T07:00Z"},
    {kNewYork, "15,45 1-3 * * *", "2026-03-08T06:00Z",
     "2026-03-08T06:15Z 2026-03-08T06:45Z 2026-03-08T07:00Z 2026-03-08T07:15Z 2026-03-08T07:45Z "
     "2026-03-09T05:15Z"},
    {kNewYork, "30 1 * * *", "2026-10-31T12:00Z", "2026-11-01T05:30Z 2026-11-02T06:30Z"},
    {kNewYork, "30 1 * * *", "2026-11-01T05:30Z", "2026-11-02T06:30Z"},
    {kNewYork, "30 1 * * *", "2026-11-01T06:00Z", "2026-11-02T06:30Z"},
    {kNewYork, "0 1 * * *", "2026-10-31T12:00Z", "2026-11-01T05:00Z 2026-11-02T06:00Z"},
    {kNewYork, "0 2 * * *", "2026-10-31T12:00Z", "2026-11-01T07:00Z 2026-11-02T07:00Z"},
    {kNewYork, "*/20 1 * * *", "2026-11-01T05:00Z",
     "2026-11-01T05:20Z 2026-11-01T05:40Z 2026-11-01T06:00Z 2026-11-01T06:20Z 2026-11-01T06:40Z "
     "2026-11-02T06:00Z"},
    {kNewYork, "@hourly", "2026-11-01T04:00Z",
     "2026-11-01T05:00Z 2026-11-01T06:00Z 2026-11-01T07:00Z"},
    {kNewYork, "0 9 * * Mon-Fri", "2026-03-06T12:00Z",
     "2026-03-06T14:00Z 2026-03-09T13:00Z 2026-03-10T13:00Z"},
    {kNewYork, "0 9 * * Mon-Fri", "2026-10-30T12:00Z",
     "2026-10-30T13:00Z 2026-11-02T14:00Z 2026-11-03T14:00Z"},
    {kNewYork, "30 2 8-14 3 *", "2026-03-08T00:00Z", "2026-03-08T07:00Z 2026-03-09T06:30Z"},
    {kNewYork, "@monthly", "2026-10-15T00:00Z",
     "2026-11-01T04:00Z 2026-12-01T05:00Z 2027-01-01T05:00Z"},
};

TEST(CronTicks, RunOnceThroughTheChangesOfNewYork) {
  HEDDLE_NEEDS_ZONES();
  expect_all(kNewYorkChanges);
}

constexpr CronCase kLordHoweChanges[] = {
    {kLordHowe, "15 2 * * *", "2026-10-02T20:00Z",
     "2026-10-03T15:30Z 2026-10-04T15:15Z 2026-10-05T15:15Z"},
    {kLordHowe, "0 2 * * *", "2026-10-03T00:00Z", "2026-10-03T15:30Z 2026-10-04T15:00Z"},
    {kLordHowe, "30 2 * * *", "2026-10-03T00:00Z", "2026-10-03T15:30Z 2026-10-04T15:30Z"},
    {kLordHowe, "*/10 2 * * *", "2026-10-03T15:00Z",
     "2026-10-03T15:30Z 2026-10-03T15:40Z 2026-10-03T15:50Z 2026-10-04T15:00Z"},
    {kLordHowe, "45 2 * * *", "2026-10-03T00:00Z", "2026-10-03T15:45Z 2026-10-04T15:45Z"},
    {kLordHowe, "45 1 * * *", "2026-04-03T20:00Z",
     "2026-04-04T14:45Z 2026-04-05T15:15Z 2026-04-06T15:15Z"},
    {kLordHowe, "30 1 * * *", "2026-04-04T00:00Z", "2026-04-04T14:30Z 2026-04-05T15:00Z"},
    {kLordHowe, "0 2 * * *", "2026-04-04T00:00Z", "2026-04-04T15:30Z 2026-04-05T15:30Z"},
    {kLordHowe, "*/15 1-2 * * *", "2026-04-04T13:45Z",
     "2026-04-04T14:00Z 2026-04-04T14:15Z 2026-04-04T14:30Z 2026-04-04T14:45Z 2026-04-04T15:00Z "
     "2026-04-04T15:15Z 2026-04-04T15:30Z 2026-04-04T15:45Z 2026-04-04T16:00Z 2026-04-04T16:15Z "
     "2026-04-05T14:30Z"},
    {kLordHowe, "59 1 * * *", "2026-04-04T15:00Z", "2026-04-05T15:29Z 2026-04-06T15:29Z"},
    {kLordHowe, "45 1 * * *", "2026-04-04T14:45Z", "2026-04-05T15:15Z"},
    {kLordHowe, "@hourly", "2026-04-04T13:00Z",
     "2026-04-04T14:00Z 2026-04-04T15:30Z 2026-04-04T16:30Z 2026-04-04T17:30Z"},
    {kLordHowe, "@hourly", "2026-10-03T14:30Z",
     "2026-10-03T16:00Z 2026-10-03T17:00Z 2026-10-03T18:00Z"},
};

TEST(CronTicks, RunOnceThroughTheHalfHourChangesOfLordHowe) {
  HEDDLE_NEEDS_ZONES();
  expect_all(kLordHoweChanges);
}

constexpr CronCase kOddChanges[] = {
    {"Pacific/Apia", "0 12 * * *", "2011-12-29T12:00Z",
     "2011-12-29T22:00Z 2011-12-30T10:00Z 2011-12-30T22:00Z"},
    {"Pacific/Apia", "0 12 30 12 *", "2011-01-01T00:00Z", "2011-12-30T10:00Z 2012-12-29T22:00Z"},
    {"America/Santiago", "0 0 * * *", "2023-09-02T12:00Z", "2023-09-03T04:00Z 2023-09-04T03:00Z"},
    {"America/Santiago", "30 23 * * *", "2023-04-01T00:00Z", "2023-04-01T02:30Z 2023-04-02T02:30Z"},
    {"Asia/Gaza", "30 0 * * *", "2022-03-26T12:00Z", "2022-03-26T22:00Z 2022-03-27T21:30Z"},
    {"Europe/Dublin", "30 1 * * *", "2023-03-25T12:00Z", "2023-03-26T01:00Z 2023-03-27T00:30Z"},
    {"Europe/Dublin", "30 1 * * *", "2023-10-28T12:00Z", "2023-10-29T00:30Z 2023-10-30T01:30Z"},
    {"Antarctica/Troll", "30 1 * * *", "2023-03-25T12:00Z", "2023-03-26T01:00Z 2023-03-26T23:30Z"},
    {"Antarctica/Troll", "30 1,2 * * *", "2023-10-28T12:00Z",
     "2023-10-28T23:30Z 2023-10-29T00:30Z 2023-10-30T01:30Z"},
    {"America/Nuuk", "30 22 * * *", "2022-03-26T12:00Z", "2022-03-27T01:00Z 2022-03-28T00:30Z"},
    {"Pacific/Chatham", "0 3 * * *", "2023-09-23T00:00Z", "2023-09-23T14:00Z 2023-09-24T13:15Z"},
    {"Pacific/Chatham", "0 3 * * *", "2023-04-01T00:00Z", "2023-04-01T13:15Z 2023-04-02T14:15Z"},
    {"Africa/Casablanca", "30 2 * * *", "2023-04-22T12:00Z", "2023-04-23T02:00Z 2023-04-24T01:30Z"},
    {"Asia/Beirut", "0 0 * * *", "2022-03-26T12:00Z", "2022-03-26T22:00Z 2022-03-27T21:00Z"},
    {"America/Havana", "30 0 * * *", "2022-11-06T00:00Z", "2022-11-06T04:30Z 2022-11-07T05:30Z"},
    {"Atlantic/Azores", "30 0 * * *", "2023-03-25T12:00Z", "2023-03-26T01:00Z 2023-03-27T00:30Z"},
};

TEST(CronTicks, RunOnceThroughOddChanges) {
  HEDDLE_NEEDS_ZONES();
  expect_all(kOddChanges);
}

}  // namespace
}  // namespace heddle::schedule
