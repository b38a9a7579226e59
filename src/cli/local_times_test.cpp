#include "cli/local_times.hpp"

#include <gtest/gtest.h>

namespace heddle::cli {
namespace {

const WallTime kTime = *parse_iso8601("2026-11-15T23:23:07.412Z");

TEST(LocalTimes, AreThoseOfTheZone) {
  const LocalTimes berlin("Europe/Berlin", [](WallTime) { return std::chrono::hours(1); });
  EXPECT_EQ(berlin.text(kTime), "2026-11-16 00:23:07");
  EXPECT_EQ(berlin.exact_text(kTime), "2026-11-16 00:23:07.412");
  EXPECT_EQ(berlin.header("STARTED"), "STARTED (Europe/Berlin)");
}

TEST(LocalTimes, AreInUtcWithoutAZone) {
  EXPECT_EQ(LocalTimes().text(kTime), "2026-11-15 23:23:07");
  EXPECT_EQ(LocalTimes().header("FAILED"), "FAILED (UTC)");
}

}  // namespace
}  // namespace heddle::cli
