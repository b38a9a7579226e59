#include "model/job/job_stats.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

using namespace std::chrono_literals;

RunFigures run(RunState state, std::chrono::milliseconds duration, std::int64_t new_items = 0) {
  RunFigures figures;
  figures.state = state;
  figures.started_at = WallTime(1h);
  figures.ended_at = figures.started_at + duration;
  figures.done = 8;
  figures.failed = 2;
  figures.new_items = new_items;
  return figures;
}

TEST(JobStats, AreEmptyWithoutRuns) {
  const JobStats stats = stats_of({});
  EXPECT_EQ(stats.runs, 0u);
  EXPECT_EQ(stats.success_rate(), std::nullopt);
  EXPECT_EQ(stats.change_rate(), std::nullopt);
  EXPECT_EQ(stats.error_rate(), 0);
}

TEST(JobStats, IgnoreCancelledAndStoppedRunsInTheSuccessRate) {
  const JobStats stats =
      stats_of({run(RunState::completed, 1s), run(RunState::limited, 1s), run(RunState::failed, 1s),
                run(RunState::completed, 1s), run(RunState::cancelled, 1s)});
  EXPECT_EQ(stats.runs, 5u);
  EXPECT_EQ(stats.success_rate(), 0.75);
}

TEST(JobStats, ComputeTheAverageAndThe95thPercentile) {
  std::vector<RunFigures> runs(94, run(RunState::completed, 1s));
  runs.insert(runs.end(), 6, run(RunState::completed, 11s));
  const JobStats stats = stats_of(runs);
  EXPECT_EQ(stats.average, 1600ms);
  EXPECT_EQ(stats.p95, 11s);
  EXPECT_EQ(stats_of({run(RunState::completed, 3s)}).p95, 3s);
}

TEST(JobStats, SumPagesAndChanges) {
  const JobStats stats = stats_of(
      {run(RunState::completed, 2s), run(RunState::completed, 1s, 3), run(RunState::failed, 5s)});
  EXPECT_EQ(stats.pages, 30);
  EXPECT_EQ(stats.failed_pages, 6);
  EXPECT_DOUBLE_EQ(stats.error_rate(), 0.2);
  EXPECT_EQ(stats.new_items, 3);
  EXPECT_DOUBLE_EQ(*stats.change_rate(), 1.0 / 3);
  EXPECT_EQ(stats.last_change, WallTime(1h + 1s));
}

}  // namespace
}  // namespace heddle
