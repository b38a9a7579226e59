// What comes next for a job whose clock may have stood still or jumped: after a start of the
// daemon, a suspended machine, a changed clock, and after each tick. Pure.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "schedule/schedule.hpp"

namespace heddle::schedule {

struct CatchUpRules {
  Misfire misfire = Misfire::run_once;
  std::chrono::milliseconds spread{0};  // missed runs start within this time from now
  // A single tick that is no later than this is just late: it runs whatever `misfire` says.
  std::chrono::milliseconds grace = std::chrono::seconds(10);
};

struct PlannedTick {
  Tick tick;
  WallTime covers_until;  // to be stored as `handled_until` when the run is recorded
  bool is_catch_up =
      false;  // makes up for one or more missed ticks, `tick.planned` being the first
};

// Up to `handled_until` every tick was run or dropped; nullopt: the job is new. A new job with an
// interval is due at once, within its active hours; one with a cron expression waits for its tick.
//  - Ticks missed between then and now become one run, or none, as `misfire` says. That run is not
//    later than the next tick, which otherwise stands for both.
//  - A clock that was put back repeats no tick: the job waits, at most three hours and at most one
//    interval. When the step is larger the former time was wrong, and the ticks from now on count.
// nullopt: nothing comes by itself.
std::optional<PlannedTick> plan_next(const Schedule& schedule, std::uint64_t seed,
                                     std::optional<WallTime> handled_until, WallTime now,
                                     const CatchUpRules& rules);

// Missed runs are spread only when more jobs missed one than may run side by side.
std::chrono::milliseconds spread_for(std::size_t jobs_behind, std::size_t runs_in_parallel,
                                     std::chrono::milliseconds misfire_spread);

}  // namespace heddle::schedule
