#include "schedule/local_day.hpp"

namespace heddle::schedule {

namespace {

using std::chrono::days;
using std::chrono::local_days;

// A midnight that the clocks skip begins with the change; one that they show twice with the first.
WallTime first_moment(const TimeZone& zone, local_days day) {
  return std::chrono::time_point_cast<WallTime::duration>(zone.to_utc(day).first);
}

}  // namespace

LocalDay local_day(const TimeZone& zone, WallTime now) {
  const auto local = zone.to_local(std::chrono::floor<std::chrono::seconds>(now));
  auto day = std::chrono::floor<days>(local);
  // Clocks that go back over midnight show the former day again, but the new day has begun.
  if (now >= first_moment(zone, day + days(1))) day += days(1);
  return {first_moment(zone, day), first_moment(zone, day + days(1))};
}

}  // namespace heddle::schedule
