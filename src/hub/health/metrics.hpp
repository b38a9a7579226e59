// The daemon's metrics in the Prometheus text format. Names and labels are fixed here: no label has
// an external value, so that their number is bounded.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

#include "hub/runs/counting_journal.hpp"
#include "hub/runs/dispatch/run_dispatcher.hpp"
#include "model/job/job_status.hpp"
#include "model/notify/system_alert.hpp"
#include "model/run/page_report.hpp"

namespace heddle::hub {

// Counts durations by bucket. Thread-safe.
class DurationHistogram {
 public:
  static constexpr std::array<double, 10> kBounds{0.001, 0.0025, 0.005, 0.01, 0.025,
                                                  0.1,   0.5,    2.5,   10,   60};  // seconds

  void observe(std::chrono::nanoseconds duration);

  struct Figures {
    std::array<std::uint64_t, kBounds.size() + 1> counts{};  // the last: above all bounds
    double sum_seconds = 0;
  };
  [[nodiscard]] Figures figures() const;

 private:
  std::array<std::atomic<std::uint64_t>, kBounds.size() + 1> counts_{};
  std::atomic<std::uint64_t> sum_nanoseconds_{0};
};

// Counters. Single event loop, except for `commits`.
struct Metrics {
  std::array<std::uint64_t, 9> runs{};  // that ended, by RunState
  StageCosts stages;
  ProcessCounts programs;
  std::uint64_t worker_deaths = 0;
  std::uint64_t worker_starts = 0;
  DurationHistogram schedule_lag;
  DurationHistogram commits;

  void note_run_end(const ExecutionResult& finished);
};

// Values read at the time of the request.
struct MetricGauges {
  TaskCounts tasks{};
  std::array<std::int64_t, kAllJobStates.size()> jobs{};  // by JobState
  std::int64_t runs_under_way = 0;
  std::int64_t runs_waiting = 0;
  std::int64_t queue_pages = 0;
  std::int64_t outbox_messages = 0;
  std::int64_t dead_letters = 0;
  std::int64_t database_bytes = 0;
  std::chrono::microseconds loop_latency{0};
  std::chrono::milliseconds uptime{0};
  std::array<std::int64_t, kAllAlertLevels.size()> alerts{};  // raised, by AlertLevel
};

std::string metrics_text(const Metrics& metrics, const MetricGauges& gauges);

}  // namespace heddle::hub
