// When each job is due: its schedule, the tick it waits for, and how far its ticks are handled.
// Pure: what is due is decided by the time it is given. One event loop.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "model/job.hpp"
#include "schedule/catch_up.hpp"
#include "schedule/due_queue.hpp"
#include "schedule/local_day.hpp"
#include "schedule/schedule.hpp"

namespace heddle::hub {

using schedule::JobNumber;

class Timetable {
 public:
  explicit Timetable(std::filesystem::path zone_database) : zones_(std::move(zone_database)) {}

  // Adds the job, or takes up its changed rules. Its next start must then be planned.
  Status set(JobNumber number, const Job& job);
  void forget(JobNumber number);

  // Every tick up to here was run or dropped; nullopt: the job is new.
  void set_handled(JobNumber number, std::optional<WallTime> until);
  [[nodiscard]] std::optional<WallTime> handled_until(JobNumber number) const;

  // Finds the job's next start and waits for it; nullopt: none comes by itself. `spread`: runs that
  // were missed start within this time. `not_after`: something else is due then (a retry).
  std::optional<WallTime> plan(JobNumber number, WallTime now, std::chrono::milliseconds spread,
                               std::optional<WallTime> not_after = std::nullopt);
  // Whether the planned start makes up for missed ones.
  [[nodiscard]] bool is_catch_up(JobNumber number) const;
  // Instead of its next start something else is waited for, such as the end of a pause.
  void wake(JobNumber number, WallTime at);
  // The day of the job's zone in which `now` lies.
  [[nodiscard]] schedule::LocalDay day_of(JobNumber number, WallTime now) const;
  // The job is not due any more until it is planned again.
  void pause(JobNumber number);

  // The next job that is due. Its tick counts as handled; the job must be planned again.
  std::optional<JobNumber> take_due(WallTime now);
  // When the job was to start that was taken last.
  [[nodiscard]] WallTime taken_due() const { return taken_due_; }
  [[nodiscard]] std::optional<WallTime> next_due() const { return queue_.next_due(); }
  [[nodiscard]] std::optional<WallTime> due_of(JobNumber number) const {
    return queue_.due_of(number);
  }

 private:
  struct Row {
    schedule::Schedule schedule;
    std::uint64_t seed = 0;
    Misfire misfire = Misfire::run_once;
    std::optional<WallTime> handled_until;
    std::optional<schedule::PlannedTick> planned;
    bool is_other = false;  // what is planned is no tick
  };

  schedule::ZoneCache zones_;
  std::vector<Row> rows_;  // by number
  schedule::DueQueue queue_;
  WallTime taken_due_{};
};

}  // namespace heddle::hub
