#include "model/job/job_stats.hpp"

#include <algorithm>

namespace heddle {

namespace {

double share(std::int64_t part, std::int64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

void add(JobStats& stats, const RunFigures& run) {
  ++stats.runs;
  if (run.state == RunState::completed || run.state == RunState::limited) ++stats.succeeded;
  if (run.state == RunState::failed) ++stats.failed;
  stats.pages += run.pages();
  stats.failed_pages += run.failed;
  stats.new_items += run.new_items;
  if (run.new_items + run.changed_items == 0) return;
  ++stats.runs_with_changes;
  stats.last_change = std::max(stats.last_change.value_or(run.ended_at), run.ended_at);
}

}  // namespace

RunFigures figures_of(const Run& ended) {
  RunFigures figures;
  figures.state = ended.state;
  figures.started_at = ended.started_at;
  figures.ended_at = ended.ended_at.value_or(ended.started_at);
  figures.done = ended.pages.done;
  figures.failed = ended.pages.failed;
  figures.skipped = ended.pages.skipped;
  figures.new_items = ended.items.fresh;
  figures.changed_items = ended.items.changed;
  return figures;
}

std::optional<double> JobStats::success_rate() const {
  if (succeeded + failed == 0) return std::nullopt;
  return share(static_cast<std::int64_t>(succeeded), static_cast<std::int64_t>(succeeded + failed));
}

std::optional<double> JobStats::change_rate() const {
  if (runs == 0) return std::nullopt;
  return share(static_cast<std::int64_t>(runs_with_changes), static_cast<std::int64_t>(runs));
}

double JobStats::error_rate() const {
  return pages == 0 ? 0 : share(failed_pages, pages);
}

JobStats stats_of(const std::vector<RunFigures>& runs) {
  JobStats stats;
  std::vector<std::chrono::milliseconds> durations;
  for (const RunFigures& run : runs) {
    add(stats, run);
    durations.push_back(run.duration());
    stats.average += durations.back();
  }
  if (durations.empty()) return stats;
  std::sort(durations.begin(), durations.end());
  stats.average /= static_cast<std::int64_t>(durations.size());
  stats.p95 = durations[(durations.size() * 95 + 99) / 100 - 1];
  return stats;
}

}  // namespace heddle
