// Plans the next tick of a job when ticks may have been missed: after a start of the daemon, a
// suspended machine or a changed clock, and after each tick. Pure.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "schedule/schedule.hpp"

namespace heddle::schedule {

struct CatchUpRules {
  MisfirePolicy misfire = MisfirePolicy::run_once;
  std::chrono::milliseconds spread{0};  // missed runs start within this time from now
  // A single tick within this time is only late, not missed: it runs whatever `misfire` says.
  std::chrono::milliseconds grace = std::chrono::seconds(10);
};

struct PlannedTick {
  Tick tick;
  WallTime covers_until;     // to be stored as `handled_until` when the run is recorded
  bool is_catch_up = false;  // replaces missed ticks, `tick.planned` being the first
};

// Up to `handled_until` every tick was run or dropped; nullopt: the job is new. A new job with an
// interval is due immediately, within its active hours; one with a cron expression waits for its
// tick.
//  - Ticks missed between then and now become one run, or none, as `misfire` says. If the next
//    tick comes first, it replaces that run.
//  - A clock that was put back repeats no fixed time: the job waits, at most three hours. Intervals
//    and cron expressions with a wildcard or step follow elapsed time: they wait at most one
//    interval. After a larger step the former time was wrong, and planning restarts from now.
// nullopt: no tick ever comes.
std::optional<PlannedTick> plan_next(const Schedule& schedule, std::uint64_t seed,
                                     std::optional<WallTime> handled_until, WallTime now,
                                     const CatchUpRules& rules);

// Missed runs are spread only when more jobs missed one than may run in parallel.
std::chrono::milliseconds spread_for(std::size_t jobs_behind, std::size_t runs_in_parallel,
                                     std::chrono::milliseconds misfire_spread);

}  // namespace heddle::schedule
