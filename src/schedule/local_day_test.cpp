#include "schedule/local_day.hpp"

#include <gtest/gtest.h>

#include "schedule/zones_for_test.hpp"

namespace heddle::schedule {
namespace {

using namespace std::chrono_literals;

// "begin end" of the day around a moment.
std::string day_around(std::string_view zone, std::string_view moment) {
  const LocalDay day = local_day(zone_named(zone), at(moment));
  return shown(day.begin) + " " + shown(day.end);
}

TEST(LocalDay, GoesFromMidnightToMidnightOfTheZone) {
  EXPECT_EQ(day_around("UTC", "2026-11-15T12:00Z"), "2026-11-15T00:00Z 2026-11-16T00:00Z");
  EXPECT_EQ(day_around(kBerlinRule, "2026-11-15T22:59Z"), "2026-11-14T23:00Z 2026-11-15T23:00Z");
  EXPECT_EQ(day_around(kBerlinRule, "2026-11-15T23:00Z"), "2026-11-15T23:00Z 2026-11-16T23:00Z");
  EXPECT_EQ(day_around(kNewYorkRule, "2026-11-15T03:00Z"), "2026-11-14T05:00Z 2026-11-15T05:00Z");
}

TEST(LocalDay, IsShorterOrLongerWhenTheClocksChange) {
  EXPECT_EQ(day_around(kBerlinRule, "2026-03-29T12:00Z"), "2026-03-28T23:00Z 2026-03-29T22:00Z");
  EXPECT_EQ(day_around(kBerlinRule, "2026-10-25T12:00Z"), "2026-10-24T22:00Z 2026-10-25T23:00Z");
}

// Clocks that are put forward at midnight: the day begins at 01:00.
constexpr const char* kNoMidnight = "<-03>3<-02>,M3.4.0/0,M10.4.0/1";
// Clocks that are put back half an hour after midnight, into the former day.
constexpr const char* kTwoMidnights = "<+02>-2<+03>,M3.5.0/0,M10.5.0/0:30";

TEST(LocalDay, BeginsWithTheChangeWhenMidnightIsSkipped) {
  EXPECT_EQ(day_around(kNoMidnight, "2026-03-22T12:00Z"), "2026-03-22T03:00Z 2026-03-23T02:00Z");
  EXPECT_EQ(day_around(kNoMidnight, "2026-03-22T02:59Z"), "2026-03-21T03:00Z 2026-03-22T03:00Z");
}

TEST(LocalDay, IsNotRepeatedWhenMidnightIsShownTwice) {
  const std::string day = "2026-10-24T21:00Z 2026-10-25T22:00Z";
  EXPECT_EQ(day_around(kTwoMidnights, "2026-10-24T21:10Z"), day);  // 00:10
  EXPECT_EQ(day_around(kTwoMidnights, "2026-10-24T21:40Z"), day);  // 23:40 once more
  EXPECT_EQ(day_around(kTwoMidnights, "2026-10-24T22:10Z"), day);  // 00:10 once more
}

TEST(LocalDay, CoversAWholeYearWithoutAGap) {
  for (const char* rule : {kBerlinRule, kNewYorkRule, kLordHoweRule, kNoMidnight, kTwoMidnights}) {
    const TimeZone zone = zone_named(rule);
    LocalDay day = local_day(zone, at("2026-01-01T12:00Z"));
    for (int i = 0; i < 366; ++i) {
      const LocalDay next = local_day(zone, day.end);
      ASSERT_EQ(next.begin, day.end) << rule << " after " << shown(day.begin);
      ASSERT_EQ(local_day(zone, next.end - 1ms), next) << rule;
      day = next;
    }
  }
}

}  // namespace
}  // namespace heddle::schedule
