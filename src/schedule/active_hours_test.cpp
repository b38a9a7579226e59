#include "schedule/active_hours.hpp"

#include <gtest/gtest.h>

#include "schedule/zones_for_test.hpp"

namespace heddle::schedule {
namespace {

using namespace std::chrono_literals;

constexpr int kSunday = 1 << 0;
constexpr int kSaturday = 1 << 6;
constexpr int kWorkdays = 0b0111110;

std::vector<ActiveSpan> parsed(std::string_view text) {
  auto spans = parse_active_hours(text);
  EXPECT_TRUE(spans) << text << ": " << spans.error().message;
  return spans ? *spans : std::vector<ActiveSpan>();
}

TEST(ActiveHours, ApplyToEveryDayUnlessDaysAreGiven) {
  const auto spans = parsed("08:00-18:30");
  ASSERT_EQ(spans.size(), 1u);
  EXPECT_EQ(spans[0].weekdays, 0x7F);
  EXPECT_EQ(spans[0].from, 8h);
  EXPECT_EQ(spans[0].to, 18h + 30min);
}

TEST(ActiveHours, AcceptDaysAndListsOfSpans) {
  const auto spans = parsed("Mon-Fri 08:00-12:00, mon-fri 13:00-18:00 ,Sat,Sun 22:00-02:00");
  ASSERT_EQ(spans.size(), 3u);
  EXPECT_EQ(spans[0].weekdays, kWorkdays);
  EXPECT_EQ(spans[1].weekdays, kWorkdays);
  EXPECT_EQ(spans[2].weekdays, kSaturday | kSunday);
  EXPECT_EQ(spans[2].from, 22h);
  EXPECT_EQ(spans[2].to, 2h);
}

TEST(ActiveHours, WrapAroundTheEndOfTheWeek) {
  EXPECT_EQ(parsed("Sat-Sun 00:00-24:00")[0].weekdays, kSaturday | kSunday);
}

TEST(ActiveHours, RefuseInvalidSpans) {
  for (const char* text :
       {"", "Mon", "Mon-Fri", "08:00", "08:00-", "8-18", "08:00-25:00", "08:60-09:00",
        "08:00-08:00", "24:00-08:00", "Foo 08:00-18:00", "Mon- 08:00-18:00", "08:00-18:00,",
        "08:00-18:00, Sat", "08:00-18:00 Mon", "008:00-18:00"})
    EXPECT_FALSE(parse_active_hours(text)) << text;
}

// Berlin is an hour ahead of UTC in winter; the 16th of November 2026 is a Monday.
TEST(ActiveHours, BeginAndEndInLocalTime) {
  const TimeZone zone = zone_named(kBerlinRule);
  const auto hours = parsed("Mon-Fri 08:00-18:00");
  EXPECT_FALSE(is_active(hours, zone, at("2026-11-16T06:59:59.999Z")));
  EXPECT_TRUE(is_active(hours, zone, at("2026-11-16T07:00Z")));
  EXPECT_TRUE(is_active(hours, zone, at("2026-11-16T16:59:59.999Z")));
  EXPECT_FALSE(is_active(hours, zone, at("2026-11-16T17:00Z")));
  EXPECT_TRUE(is_active({}, zone, at("2026-11-16T17:00Z")));
}

TEST(ActiveHours, BelongToTheDayOnWhichTheyBegin) {
  const TimeZone zone = zone_named(kBerlinRule);
  const auto hours = parsed("Fri 22:00-06:00");
  EXPECT_TRUE(is_active(hours, zone, at("2026-11-21T04:59Z")));   // Saturday 05:59
  EXPECT_FALSE(is_active(hours, zone, at("2026-11-20T04:59Z")));  // Friday 05:59
}

TEST(ActiveHours, FindTheirNextBegin) {
  const TimeZone zone = zone_named(kBerlinRule);
  const auto hours = parsed("Mon-Fri 08:00-18:00");
  EXPECT_EQ(next_active(hours, zone, at("2026-11-20T17:00Z")), at("2026-11-23T07:00Z"));
  EXPECT_EQ(next_active(hours, zone, at("2026-11-20T16:59:59.500Z")),
            at("2026-11-20T16:59:59.500Z"));
  EXPECT_EQ(next_active(parsed("Mon 08:00-09:00"), zone, at("2026-11-16T08:00Z")),
            at("2026-11-23T07:00Z"));
  EXPECT_EQ(next_active({{.weekdays = 0}}, zone, at("2026-11-16T08:00Z")), std::nullopt);
}

TEST(ActiveHours, FindTheirEndAcrossAdjacentSpans) {
  const TimeZone zone = zone_named(kBerlinRule);
  EXPECT_EQ(
      active_until(parsed("08:00-12:00,12:00-13:00,12:30-14:00"), zone, at("2026-11-16T08:00Z")),
      at("2026-11-16T13:00Z"));
  EXPECT_EQ(active_until(parsed("Mon 20:00-24:00,Tue 00:00-02:00"), zone, at("2026-11-16T20:00Z")),
            at("2026-11-17T01:00Z"));
  EXPECT_EQ(active_until(parsed("00:00-24:00"), zone, at("2026-11-16T08:00Z")), std::nullopt);
  EXPECT_EQ(active_until({}, zone, at("2026-11-16T08:00Z")), std::nullopt);
}

TEST(ActiveHours, FollowLocalTimeThroughAClockChange) {
  const TimeZone zone = zone_named(kBerlinRule);
  // 02:30 is skipped: the hours begin, or end, with the change.
  EXPECT_EQ(next_active(parsed("02:30-04:00"), zone, at("2026-03-28T23:30Z")),
            at("2026-03-29T01:00Z"));
  EXPECT_EQ(active_until(parsed("01:00-02:30"), zone, at("2026-03-29T00:30Z")),
            at("2026-03-29T01:00Z"));
  // 02:00 to 02:30 comes twice.
  const auto doubled = parsed("02:00-02:30");
  EXPECT_EQ(active_until(doubled, zone, at("2026-10-25T00:00Z")), at("2026-10-25T00:30Z"));
  EXPECT_EQ(next_active(doubled, zone, at("2026-10-25T00:30Z")), at("2026-10-25T01:00Z"));
  EXPECT_EQ(active_until(parsed("00:00-05:00"), zone, at("2026-10-25T00:00Z")),
            at("2026-10-25T04:00Z"));
}

}  // namespace
}  // namespace heddle::schedule
