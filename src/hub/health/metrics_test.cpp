#include "hub/health/metrics.hpp"

#include <sstream>
#include <thread>

#include <gmock/gmock.h>

namespace heddle::hub {
namespace {

using ::testing::HasSubstr;
using namespace std::chrono_literals;

TEST(DurationHistogram, CountsByUpperBound) {
  DurationHistogram histogram;
  histogram.observe(1ms);
  histogram.observe(1100us);
  histogram.observe(2h);
  histogram.observe(-5ms);  // the clock was set
  const auto figures = histogram.figures();
  EXPECT_EQ(figures.counts.front(), 2u);
  EXPECT_EQ(figures.counts[1], 1u);
  EXPECT_EQ(figures.counts.back(), 1u);
  EXPECT_NEAR(figures.sum_seconds, 7200.0021, 1e-6);
}

TEST(DurationHistogram, CountsFromSeveralThreads) {
  DurationHistogram histogram;
  const auto observe = [&histogram] {
    for (int i = 0; i < 10'000; ++i) histogram.observe(1ms);
  };
  std::thread other(observe);
  observe();
  other.join();
  EXPECT_EQ(histogram.figures().counts.front(), 20'000u);
}

TEST(Metrics, ShowTheCounts) {
  Metrics metrics;
  ExecutionResult finished;
  finished.run.state = RunState::limited;
  finished.costs.cycles = 7;
  finished.costs.stages.front() = 1500ms;
  metrics.note_run_end(finished);
  metrics.worker_deaths = 2;
  metrics.commits.observe(3ms);
  MetricGauges gauges;
  gauges.tasks[static_cast<std::size_t>(TaskState::done)] = 5;
  gauges.jobs[static_cast<std::size_t>(JobState::paused)] = 3;
  gauges.queue_pages = 11;
  gauges.loop_latency = 2500us;
  gauges.alerts[static_cast<std::size_t>(AlertLevel::critical)] = 1;
  const std::string text = metrics_text(metrics, gauges);
  for (const char* line :
       {"\nheddle_runs_total{state=\"limited\"} 1\n", "\nheddle_runs_total{state=\"failed\"} 0\n",
        "\nheddle_pages_total{outcome=\"done\"} 5\n", "\nheddle_jobs{state=\"paused\"} 3\n",
        "\nheddle_cycles_total 7\n", "} 1.5\n", "\nheddle_queue_pages 11\n",
        "\nheddle_worker_deaths_total 2\n", "\nheddle_loop_latency_seconds 0.0025\n",
        "\nheddle_commit_seconds_bucket{le=\"0.0025\"} 0\n",
        "\nheddle_commit_seconds_bucket{le=\"0.005\"} 1\n",
        "\nheddle_commit_seconds_bucket{le=\"+Inf\"} 1\n", "\nheddle_commit_seconds_count 1\n",
        "\nheddle_schedule_lag_seconds_count 0\n", "\nheddle_alerts{level=\"critical\"} 1\n"})
    EXPECT_THAT(text, HasSubstr(line));
}

// Every line is a comment or "name{labels} number"; every family precedes its samples.
TEST(Metrics, FollowThePrometheusTextFormat) {
  std::istringstream lines(metrics_text({}, {}));
  std::string line;
  std::string family;
  int samples = 0;
  while (std::getline(lines, line)) {
    if (line.starts_with("# TYPE ")) family = line.substr(7, line.find(' ', 7) - 7);
    if (line.starts_with('#')) continue;
    ++samples;
    EXPECT_TRUE(line.starts_with(family)) << line << " behind " << family;
    EXPECT_THAT(line, ::testing::MatchesRegex("[a-z_]+(\\{[a-z]+=\"[^\"]+\"\\})? [0-9.e+-]+"));
  }
  EXPECT_GT(samples, 60);
}

}  // namespace
}  // namespace heddle::hub
