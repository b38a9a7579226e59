// Aggregates the runs of a job, for display and for anomaly detection. Pure.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/time.hpp"
#include "model/run/run.hpp"

namespace heddle {

// The figures of one ended run.
struct RunFigures {
  RunState state = RunState::completed;
  WallTime started_at{};
  WallTime ended_at{};
  std::int64_t done = 0;  // pages
  std::int64_t failed = 0;
  std::int64_t skipped = 0;
  std::int64_t new_items = 0;
  std::int64_t changed_items = 0;

  [[nodiscard]] std::chrono::milliseconds duration() const { return ended_at - started_at; }
  [[nodiscard]] std::int64_t pages() const { return done + failed + skipped; }
  bool operator==(const RunFigures&) const = default;
};
RunFigures figures_of(const Run& ended);

struct JobStats {
  std::size_t runs = 0;
  std::size_t succeeded = 0;  // completed or limited
  std::size_t failed = 0;     // the others were cancelled or stopped
  std::int64_t pages = 0;     // that have an outcome
  std::int64_t failed_pages = 0;
  std::int64_t new_items = 0;
  std::chrono::milliseconds average{0};
  std::chrono::milliseconds p95{0};
  std::size_t runs_with_changes = 0;  // found something new or changed
  std::optional<WallTime> last_change{};

  // Share of the completed and limited among the runs that were not cancelled or stopped; nullopt:
  // there are none.
  [[nodiscard]] std::optional<double> success_rate() const;
  // Share of the runs that found something new or changed.
  [[nodiscard]] std::optional<double> change_rate() const;
  // Share of the pages that failed.
  [[nodiscard]] double error_rate() const;
};

JobStats stats_of(const std::vector<RunFigures>& runs);

}  // namespace heddle
