// The day that a moment belongs to, as the people of a time zone count days. Pure.
#pragma once

#include "base/time.hpp"
#include "schedule/zone/zone.hpp"

namespace heddle::schedule {

// From `begin` up to, not including, `end`: both are the first moments of a local day.
struct LocalDay {
  WallTime begin{};
  WallTime end{};

  bool operator==(const LocalDay&) const = default;
};

LocalDay local_day(const Zone& zone, WallTime now);

}  // namespace heddle::schedule
