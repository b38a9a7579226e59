// Parses and evaluates the hours of the week in which runs may start: "Mon-Fri 08:00-18:00, Sat,Sun
// 10:00-14:00". Pure.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "schedule/zone/zone.hpp"

namespace heddle::schedule {

struct ActiveSpan {
  std::uint8_t weekdays = 0x7F;  // on which it begins; bit 0 is Sunday
  std::chrono::minutes from{0};  // of the day
  std::chrono::minutes to{0};    // up to 24:00; not later than `from`: on the next day
};

// Spans joined by commas, each "HH:MM-HH:MM" with days before it ("Mon", "Mon-Fri", "Sat,Sun") or
// for every day; "22:00-06:00" goes over midnight. Messages say what is wrong and what is allowed.
Result<std::vector<ActiveSpan>> parse_active_hours(std::string_view text);

using ActiveHours = std::vector<ActiveSpan>;  // empty: always

// An hour that clocks show twice is inside both times or neither.
bool is_active(const ActiveHours& hours, const TimeZone& zone, WallTime time);

// The first instant at or after `from` inside of the hours; nullopt: none ever comes.
std::optional<WallTime> next_active(const ActiveHours& hours, const TimeZone& zone, WallTime from);

// The first instant after `from`, which is inside of the hours, that is outside; nullopt: the
// hours never end.
std::optional<WallTime> active_until(const ActiveHours& hours, const TimeZone& zone, WallTime from);

}  // namespace heddle::schedule
