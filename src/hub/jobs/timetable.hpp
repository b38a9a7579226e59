// Timetable holds when each job is due: its schedule, the planned tick, and how far its ticks are
// handled. Pure: the caller passes the time in. Single event loop.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "model/job/job.hpp"
#include "schedule/catch_up.hpp"
#include "schedule/due_queue.hpp"
#include "schedule/local_day.hpp"
#include "schedule/schedule.hpp"

namespace heddle::hub {

using schedule::JobNumber;

class Timetable {
 public:
  explicit Timetable(std::filesystem::path zone_database) : zones_(std::move(zone_database)) {}

  // Adds the job or applies its changed schedule. plan() must follow.
  Status set(JobNumber number, const Job& job);

  // Every tick up to here was run or dropped; nullopt: the job is new.
  void set_handled(JobNumber number, std::optional<WallTime> until) {
    rows_.at(number).handled_until = until;
  }
  [[nodiscard]] std::optional<WallTime> handled_until(JobNumber number) const {
    return rows_.at(number).handled_until;
  }

  // Plans the job's next start; nullopt: it does not start by itself. `spread`: missed runs start
  // within this time. `not_after`: something else is due then (a retry).
  std::optional<WallTime> plan(JobNumber number, WallTime now, std::chrono::milliseconds spread,
                               std::optional<WallTime> not_after = std::nullopt);
  // Whether the planned start catches up missed ones.
  [[nodiscard]] bool is_catch_up(JobNumber number) const;
  // Makes the job due at another time than its next start, such as the end of a pause.
  void wake(JobNumber number, WallTime at);
  // The day in the job's time zone that contains `now`.
  [[nodiscard]] schedule::LocalDay day_of(JobNumber number, WallTime now) const;
  // The job is not due until it is planned again.
  void pause(JobNumber number) { queue_.remove(number); }

  // The next due job. Its tick counts as handled; the job must be planned again.
  std::optional<JobNumber> take_due(WallTime now);
  // When the job returned last was due.
  [[nodiscard]] WallTime taken_due() const { return taken_due_; }
  [[nodiscard]] std::optional<WallTime> next_due() const { return queue_.next_due(); }
  [[nodiscard]] std::optional<WallTime> due_of(JobNumber number) const {
    return queue_.due_of(number);
  }

 private:
  struct Row {
    schedule::Schedule schedule;
    std::uint64_t seed = 0;
    MisfirePolicy misfire = MisfirePolicy::run_once;
    std::optional<WallTime> handled_until;
    std::optional<schedule::PlannedTick> planned;
    bool is_not_tick = false;  // the planned time is a retry or wake(), not a tick
  };

  schedule::ZoneCache zones_;
  std::vector<Row> rows_;  // by number
  schedule::DueQueue queue_;
  WallTime taken_due_{};
};

}  // namespace heddle::hub
