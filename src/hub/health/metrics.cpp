#include "hub/health/metrics.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "model/run/trace.hpp"

namespace heddle::hub {

namespace {

using Seconds = std::chrono::duration<double>;

// "# HELP", "# TYPE" and the samples of one family.
class MetricsPage {
 public:
  void family(std::string_view name, std::string_view type, std::string_view help) {
    text_ += fmt::format("# HELP {0} {2}\n# TYPE {0} {1}\n", name, type, help);
  }
  template <class Number>
  void sample(std::string_view name, std::string_view labels, Number value) {
    text_ += labels.empty() ? fmt::format("{} {}\n", name, value)
                            : fmt::format("{}{{{}}} {}\n", name, labels, value);
  }
  template <class Number>
  void single(std::string_view name, std::string_view type, std::string_view help, Number value) {
    family(name, type, help);
    sample(name, {}, value);
  }
  // One sample per value, from its place in `counts`.
  template <class Values, class Counts>
  void by_value(std::string_view name, std::string_view type, std::string_view help,
                std::string_view label, const Values& values, const Counts& counts) {
    family(name, type, help);
    for (const auto value : values)
      sample(name, fmt::format("{}=\"{}\"", label, to_text(value)),
             counts.at(static_cast<std::size_t>(value)));
  }
  void histogram(std::string_view name, std::string_view help, const DurationHistogram& histogram) {
    family(name, "histogram", help);
    const auto figures = histogram.figures();
    const std::string bucket = fmt::format("{}_bucket", name);
    std::uint64_t below = 0;
    for (std::size_t i = 0; i < figures.counts.size(); ++i) {
      below += figures.counts[i];
      const bool is_last = i == DurationHistogram::kBounds.size();
      const std::string bound = is_last ? "+Inf" : fmt::format("{}", DurationHistogram::kBounds[i]);
      sample(bucket, fmt::format("le=\"{}\"", bound), below);
    }
    sample(fmt::format("{}_sum", name), {}, figures.sum_seconds);
    sample(fmt::format("{}_count", name), {}, below);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

void add_runs(MetricsPage& page, const Metrics& metrics, const MetricGauges& gauges) {
  using enum RunState;
  page.by_value("heddle_runs_total", "counter", "Runs that have ended.", "state",
                std::array{completed, failed, stopped, cancelled, limited}, metrics.runs);
  page.single("heddle_runs_under_way", "gauge", "Runs in progress.", gauges.runs_under_way);
  page.single("heddle_runs_waiting", "gauge", "Runs that wait for a free run slot.",
              gauges.runs_waiting);
  page.histogram("heddle_schedule_lag_seconds",
                 "Delay between the scheduled and the actual start of runs.", metrics.schedule_lag);
  page.by_value("heddle_jobs", "gauge", "Jobs by state.", "state", kAllJobStates, gauges.jobs);
}

void add_pages(MetricsPage& page, const Metrics& metrics, const MetricGauges& gauges) {
  using enum TaskState;
  page.by_value("heddle_pages_total", "counter", "Page attempts by outcome.", "outcome",
                std::array{done, skipped, retry, dead}, gauges.tasks);
  page.single("heddle_queue_pages", "gauge", "Pages left in runs in progress.", gauges.queue_pages);
  page.family("heddle_stage_seconds_total", "counter",
              "Time spent in each stage of page processing.");
  for (std::size_t i = 0; i < kStageCount; ++i)
    page.sample("heddle_stage_seconds_total",
                fmt::format("stage=\"{}\"", to_text(static_cast<Stage>(i))),
                Seconds(metrics.stages.stages.at(i)).count());
  page.single("heddle_cycles_total", "counter",
              "Page attempts whose time is in heddle_stage_seconds_total: those of runs that have "
              "ended.",
              metrics.stages.cycles);
}

void add_programs(MetricsPage& page, const Metrics& metrics) {
  using enum HookState;
  using P = ProcessState;
  page.by_value("heddle_processes_total", "counter", "Processes of commands and services.", "state",
                std::array{P::succeeded, P::failed, P::stopped, P::interrupted},
                metrics.programs.processes);
  page.by_value("heddle_hook_tries_total", "counter", "Hook attempts by outcome.", "state",
                std::array{succeeded, failed, timed_out, stopped, interrupted},
                metrics.programs.hooks);
}

void add_system(MetricsPage& page, const Metrics& metrics, const MetricGauges& gauges) {
  page.single("heddle_worker_starts_total", "counter", "Worker processes that were started.",
              metrics.worker_starts);
  page.single("heddle_worker_deaths_total", "counter", "Worker processes that died unexpectedly.",
              metrics.worker_deaths);
  page.histogram("heddle_commit_seconds", "Time to commit a group of writes to disk.",
                 metrics.commits);
  page.single("heddle_outbox_messages", "gauge", "Messages that wait to be sent.",
              gauges.outbox_messages);
  page.single("heddle_dead_letters", "gauge",
              "Dead letters: pages and messages that failed for good.", gauges.dead_letters);
  page.single("heddle_database_bytes", "gauge", "Size of the database.", gauges.database_bytes);
  page.single("heddle_loop_latency_seconds", "gauge",
              "Largest delay of the event loop in the last minute.",
              Seconds(gauges.loop_latency).count());
  page.single("heddle_uptime_seconds", "gauge", "Time since the daemon started.",
              Seconds(gauges.uptime).count());
  page.by_value("heddle_alerts", "gauge", "Active alerts.", "level", kAllAlertLevels,
                gauges.alerts);
}

}  // namespace

void DurationHistogram::observe(std::chrono::nanoseconds duration) {
  const double seconds = Seconds(duration).count();
  const auto* const bound = std::lower_bound(kBounds.begin(), kBounds.end(), seconds);
  const auto bucket_index = static_cast<std::size_t>(bound - kBounds.begin());
  counts_.at(bucket_index).fetch_add(1, std::memory_order_relaxed);
  const auto count = std::max<std::int64_t>(duration.count(), 0);
  sum_nanoseconds_.fetch_add(static_cast<std::uint64_t>(count), std::memory_order_relaxed);
}

DurationHistogram::Figures DurationHistogram::figures() const {
  Figures figures;
  for (std::size_t i = 0; i < counts_.size(); ++i)
    figures.counts.at(i) = counts_.at(i).load(std::memory_order_relaxed);
  figures.sum_seconds = static_cast<double>(sum_nanoseconds_.load(std::memory_order_relaxed)) / 1e9;
  return figures;
}

void Metrics::note_run_end(const ExecutionResult& finished) {
  ++runs.at(static_cast<std::size_t>(finished.run.state));
  add(stages, finished.costs);
}

std::string metrics_text(const Metrics& metrics, const MetricGauges& gauges) {
  MetricsPage page;
  add_runs(page, metrics, gauges);
  add_pages(page, metrics, gauges);
  add_programs(page, metrics);
  add_system(page, metrics, gauges);
  return page.take();
}

}  // namespace heddle::hub
