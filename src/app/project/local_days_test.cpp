#include "app/project/local_days.hpp"

#include <gtest/gtest.h>

namespace heddle::app {

namespace {

TEST(LocalDays, BeginAtMidnightOfTheZone) {
  NoLog log;
  const config::Environment environment;
  const auto utc = local_days("UTC", environment, log);
  const auto berlin = local_days("Europe/Berlin", environment, log);
  const auto late = *parse_iso8601("2026-07-01T22:30:00Z");  // half past midnight in Berlin
  EXPECT_EQ(berlin(late), utc(late) + 1);
  EXPECT_EQ(berlin(late - std::chrono::hours(1)), utc(late));
  EXPECT_EQ(utc(WallTime(std::chrono::milliseconds(-1))), -1);
}

TEST(LocalDays, FallBackToUtcForAnUnknownZone) {
  NoLog log;
  const config::Environment environment;
  const auto days = local_days("No/Where", environment, log);
  EXPECT_EQ(days(*parse_iso8601("1970-01-02T23:59:59Z")), 1);
}

}  // namespace

}  // namespace heddle::app
