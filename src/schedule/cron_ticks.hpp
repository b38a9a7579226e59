// Computes the instants at which a cron expression is due in a time zone. Pure.
#pragma once

#include <chrono>
#include <optional>

#include "schedule/cron.hpp"
#include "schedule/zone/zone.hpp"

namespace heddle::schedule {

// The first local time at or after `from` that matches the expression, without time zones; nullopt:
// none ever comes.
std::optional<std::chrono::local_seconds> next_match(const CronExpression& cron,
                                                     std::chrono::local_seconds from);

// The first tick strictly after `after`; nullopt: none ever comes. A fixed local time ticks once:
// the first time when clocks show it twice, and right after the change when they skip it (one tick
// for all times that one change skips). An expression with a wildcard or step in its minute or hour
// follows elapsed time: it ticks both times that clocks show a time, and not for skipped hours that
// it does not name one by one.
std::optional<std::chrono::sys_seconds> next_tick(const CronExpression& cron, const TimeZone& zone,
                                                  WallTime after);

}  // namespace heddle::schedule
