// Computes when a job is due: by an interval, a cron expression or only on demand, within active
// hours. Pure: reads no clock and gives the same ticks after a restart.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <variant>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "model/job/job.hpp"
#include "schedule/active_hours.hpp"
#include "schedule/cron.hpp"
#include "schedule/zone/zone.hpp"

namespace heddle::schedule {

struct OnDemand {};  // "manual", or only after other jobs

struct Interval {
  std::chrono::milliseconds length{0};
};

// Immutable: jobs with equal rules may share one, because only their seeds differ.
struct Schedule {
  std::variant<OnDemand, Interval, CronExpression> when;
  std::shared_ptr<const TimeZone> zone;  // shared with all schedules in it; never null
  ActiveHours active_hours{};            // empty: always
  std::chrono::milliseconds jitter{0};
};

// From the keys `interval`, `schedule`, `timezone`, `active_hours` and `jitter`.
Result<Schedule> schedule_of(const Job& job, ZoneCache& zones);

// Seeds a job's phase and jitter. Depends only on the id, so it is stable over restarts.
std::uint64_t seed_of(const JobId& job);

struct Tick {
  WallTime planned;  // on the grid of the schedule: identifies the tick
  WallTime due;      // with jitter: when to start

  bool operator==(const Tick&) const = default;
};

// The first tick planned strictly after `after`; nullopt: none ever comes.
//  - Intervals tick at phase + k * length since 1970, the phase being specific to the job. A tick
//    outside of the active hours moves into the next ones, at an offset specific to the job, unless
//    these contain a tick: a daily job with a phase at night still runs every day.
//  - Cron ticks outside of the active hours are dropped.
//  - Jitter delays `due` only, by the same time for the same tick, below the interval's length and
//    never out of the active hours.
std::optional<Tick> next_tick(const Schedule& schedule, std::uint64_t seed, WallTime after);

}  // namespace heddle::schedule
