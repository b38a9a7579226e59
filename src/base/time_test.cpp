#include "base/time.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

using namespace std::chrono_literals;

std::string normal(std::string_view text) {
  const auto time = parse_iso8601(text);
  return time ? to_iso8601(*time) : "none";
}

TEST(Iso8601, WritesUtcWithMilliseconds) {
  EXPECT_EQ(to_iso8601(WallTime{0ms}), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(to_iso8601(WallTime{1773309600250ms}), "2026-03-12T10:00:00.250Z");
  EXPECT_EQ(to_iso8601(WallTime{-1ms}), "1969-12-31T23:59:59.999Z");
}

TEST(Iso8601, ReadsDatesAndTimes) {
  EXPECT_EQ(normal("2026-03-12"), "2026-03-12T00:00:00.000Z");
  EXPECT_EQ(normal("2026-03-12T10:30"), "2026-03-12T10:30:00.000Z");
  EXPECT_EQ(normal("2026-03-12 10:30:15"), "2026-03-12T10:30:15.000Z");
  EXPECT_EQ(normal("2026-03-12t10:30:15z"), "2026-03-12T10:30:15.000Z");
  EXPECT_EQ(normal("2026-03-12T10:30:15.5Z"), "2026-03-12T10:30:15.500Z");
  EXPECT_EQ(normal("2026-03-12T10:30:15.123456789Z"), "2026-03-12T10:30:15.123Z");
}

TEST(Iso8601, TurnsZonesIntoUtc) {
  EXPECT_EQ(normal("2026-03-12T00:30:00+02:00"), "2026-03-11T22:30:00.000Z");
  EXPECT_EQ(normal("2026-03-12T22:30:00-0530"), "2026-03-13T04:00:00.000Z");
}

TEST(Iso8601, ReadsBackWhatItWrites) {
  for (const auto time : {WallTime{0ms}, WallTime{1773309600250ms}, WallTime{951782400000ms}})
    EXPECT_EQ(parse_iso8601(to_iso8601(time)), time);
}

TEST(Iso8601, KnowsLeapYears) {
  EXPECT_EQ(normal("2024-02-29"), "2024-02-29T00:00:00.000Z");
  EXPECT_EQ(normal("2000-02-29"), "2000-02-29T00:00:00.000Z");
  EXPECT_EQ(normal("2025-02-29"), "none");
  EXPECT_EQ(normal("1900-02-29"), "none");
}

TEST(Iso8601, RefusesOtherFormats) {
  for (const char* text : {"",
                           "2026",
                           "2026-3-12",
                           "2026-13-01",
                           "2026-00-10",
                           "2026-01-00",
                           "2026-01-32",
                           "26-01-01",
                           "2026-03-12T",
                           "2026-03-12T10",
                           "2026-03-12T24:00",
                           "2026-03-12T10:60",
                           "2026-03-12T10:30:",
                           "2026-03-12T10:30:61",
                           "2026-03-12T10:30:15.",
                           "2026-03-12T10:30X",
                           "2026-03-12T10:30+2",
                           "2026-03-12T10:30+24:00",
                           "2026-03-12 ",
                           "x2026-03-12",
                           "2026-03-12T10:30ZZ"})
    EXPECT_EQ(normal(text), "none") << text;
}

TEST(ShortText, NamesTheLargestUnitsFirst) {
  EXPECT_EQ(to_short_text(90min), "1h30m");
  EXPECT_EQ(to_short_text(90s), "1m30s");
  EXPECT_EQ(to_short_text(250ms), "250ms");
  EXPECT_EQ(to_short_text(48h), "2d");
  EXPECT_EQ(to_short_text(25h + 1ms), "1d1h1ms");
  EXPECT_EQ(to_short_text(0ms), "0s");
  EXPECT_EQ(to_short_text(-90s), "-1m30s");
}

TEST(ManualClock, AdvancesOnlyOnRequest) {
  ManualClock clock(WallTime{5s});
  EXPECT_EQ(clock.now(), WallTime{5s});
  clock.advance(2s);
  EXPECT_EQ(clock.now(), WallTime{7s});
}

TEST(SystemClock, IsNear2026OrLater) {
  EXPECT_GT(SystemClock().now(), *parse_iso8601("2020-01-01"));
}

}  // namespace
}  // namespace heddle
