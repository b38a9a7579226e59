// When a job is due: an interval, a cron expression or only on demand, within active hours.
// Pure: nothing reads a clock, and the same questions get the same answers after a restart.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <variant>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "model/job.hpp"
#include "schedule/active_hours.hpp"
#include "schedule/cron.hpp"
#include "schedule/zone/zone.hpp"

namespace heddle::schedule {

struct OnDemand {};  // "manual", or only after other jobs

struct Interval {
  std::chrono::milliseconds length{0};
};

// Immutable once in use: jobs with equal rules may share one, as all that differs between them is
// their seed.
struct Schedule {
  std::variant<OnDemand, Interval, CronExpression> when;
  std::shared_ptr<const Zone> zone;  // shared with all schedules in it; never null
  ActiveHours active_hours{};        // empty: always
  std::chrono::milliseconds jitter{0};
};

// From the keys `interval`, `schedule`, `timezone`, `active_hours` and `jitter`.
Result<Schedule> schedule_of(const Job& job, ZoneCache& zones);

// What sets a job's phase and jitter. Depends on nothing but the id, so it outlives restarts.
std::uint64_t seed_of(const JobId& job);

struct Tick {
  WallTime planned;  // on the grid of the schedule: names the tick
  WallTime due;      // with jitter: when to start

  bool operator==(const Tick&) const = default;
};

// The first tick planned strictly after `after`; nullopt: none ever comes.
//  - Intervals tick at phase + k * length since 1970, the phase being the job's own. A tick outside
//    of the active hours is made up within the next ones, at a moment of the job's own, unless
//    these have a tick of their own: a daily job with a phase at night still runs every day.
//  - Cron ticks outside of the active hours are dropped.
//  - Jitter moves `due` only, by the same time for the same tick, below the interval's length and
//    never out of the active hours.
std::optional<Tick> next_tick(const Schedule& schedule, std::uint64_t seed, WallTime after);

}  // namespace heddle::schedule
