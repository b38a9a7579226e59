#include "supervise/recovery/watchdog.hpp"

#include <gtest/gtest.h>

#include "supervise/recovery/recycling.hpp"

namespace heddle::supervise {
namespace {

using namespace std::chrono_literals;

constexpr Watchdog::Clock::time_point kWatchStart{};

// Returns when the watchdog first reports a hang if it is checked every period.
Watchdog::Clock::duration first_report(Watchdog& watchdog, std::uint64_t beats,
                                       Watchdog::Clock::time_point from) {
  auto now = from;
  do now += watchdog.period();
  while (!watchdog.is_hung(beats, now) && now < from + 1h);
  return now - from;
}

TEST(Watchdog, ReportsAHangAfterTheWholeTimeoutWithoutABeat) {
  Watchdog watchdog(8s, kWatchStart);
  EXPECT_EQ(first_report(watchdog, 0, kWatchStart), 8s);
}

TEST(Watchdog, RestartsTheTimeoutWithEveryBeat) {
  Watchdog watchdog(8s, kWatchStart);
  for (int i = 1; i < 100; ++i) EXPECT_FALSE(watchdog.is_hung(i / 7, kWatchStart + i * 1s)) << i;
  EXPECT_FALSE(watchdog.is_hung(1000, kWatchStart + 100s));
  EXPECT_EQ(first_report(watchdog, 1000, kWatchStart + 100s), 8s);
}

TEST(Watchdog, IgnoresGapsInItsOwnChecks) {
  Watchdog watchdog(8s, kWatchStart);
  EXPECT_FALSE(watchdog.is_hung(0, kWatchStart + 1h));
  EXPECT_FALSE(watchdog.is_hung(0, kWatchStart + 2h));
  EXPECT_FALSE(watchdog.is_hung(0, kWatchStart + 3h));
  EXPECT_TRUE(watchdog.is_hung(0, kWatchStart + 4h)) << "two periods each, four checks";
}

TEST(Watchdog, BoundsItsCheckPeriod) {
  EXPECT_EQ(Watchdog(10ms, kWatchStart).period(), 5ms);
  EXPECT_EQ(Watchdog(800ms, kWatchStart).period(), 100ms);
  EXPECT_EQ(Watchdog(24h, kWatchStart).period(), 1s);
}

TEST(Recycling, IsDueByAge) {
  const RecycleRules rules{1h, 0};
  EXPECT_EQ(recycle_reason(rules, 59min, {0, 1 << 30}), std::nullopt);
  EXPECT_EQ(recycle_reason(rules, 1h, {0, 0}), "it is 1h old");
}

TEST(Recycling, IsDueByGrowthOfMemory) {
  const RecycleRules rules{0ms, 512 << 20};
  EXPECT_EQ(recycle_reason(rules, 1000h, {0, (512 << 20) - 1}), std::nullopt);
  EXPECT_EQ(recycle_reason(rules, 0ms, {8 << 20, 520 << 20}),
            "it uses 520 MB, 512 MB more than when it was ready");
}

TEST(Recycling, SparesAProcessThatNeededItsMemoryToBecomeReady) {
  const RecycleRules rules{0ms, 512 << 20};
  const std::int64_t jobs = std::int64_t{3} << 30;
  EXPECT_EQ(recycle_reason(rules, 1h, {jobs, jobs}), std::nullopt);
  EXPECT_EQ(recycle_reason(rules, 1h, {jobs, jobs / 2}), std::nullopt) << "it has shrunk";
  EXPECT_NE(recycle_reason(rules, 1h, {jobs, jobs + rules.rss_bytes}), std::nullopt);
}

TEST(Recycling, IsNeverDueWithoutRules) {
  EXPECT_FALSE(has_any(RecycleRules{}));
  EXPECT_EQ(recycle_reason(RecycleRules{}, 1000h, {0, std::int64_t{1} << 50}), std::nullopt);
}

}  // namespace
}  // namespace heddle::supervise
