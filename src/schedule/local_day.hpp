// Computes the local day of an instant in a time zone. Pure.
#pragma once

#include "base/time.hpp"
#include "schedule/zone/zone.hpp"

namespace heddle::schedule {

// From `begin` up to, not including, `end`: both are the first instants of a local day.
struct LocalDay {
  WallTime begin{};
  WallTime end{};

  bool operator==(const LocalDay&) const = default;
};

LocalDay local_day(const TimeZone& zone, WallTime now);

}  // namespace heddle::schedule
