// The instants at which a cron expression is due in a time zone. Pure.
#pragma once

#include <chrono>
#include <optional>

#include "schedule/cron.hpp"
#include "schedule/zone/zone.hpp"

namespace heddle::schedule {

// The first local time at or after `from` that the expression names, as a calendar without time
// zones shows it; nullopt: none ever comes.
std::optional<std::chrono::local_seconds> next_named(const CronExpression& cron,
                                                     std::chrono::local_seconds from);

// The first tick strictly after `after`; nullopt: none ever comes. Every named local time ticks
// once: the first time when clocks show it twice, and when they skip it, right after the change
// (one tick for all that one change skips).
std::optional<std::chrono::sys_seconds> next_tick(const CronExpression& cron, const Zone& zone,
                                                  WallTime after);

}  // namespace heddle::schedule
