#include "schedule/active_hours.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "base/text.hpp"

namespace heddle::schedule {

namespace {

using std::chrono::days;
using std::chrono::local_days;
using std::chrono::local_seconds;
using std::chrono::minutes;
using std::chrono::seconds;
using std::chrono::sys_seconds;

constexpr days kLongestClosing{8};  // a span of one day a week, begun just now

constexpr std::array<std::string_view, 7> kDays{"sun", "mon", "tue", "wed", "thu", "fri", "sat"};

Error wrong(std::string_view found) {
  return {ErrorCode::bad_input,
          fmt::format("found \"{}\", expected hours such as \"08:00-18:00\" or \"Mon-Fri "
                      "08:00-18:00\", several joined by commas",
                      found)};
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// "08:00", "8:00", and "24:00" for the end of the day.
std::optional<minutes> time_in(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon < 1 || colon > 2 || text.size() != colon + 3)
    return std::nullopt;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (i != colon && !is_digit(text[i])) return std::nullopt;
  int hour = 0;
  for (const char c : text.substr(0, colon)) hour = hour * 10 + (c - '0');
  const int minute = (text[colon + 1] - '0') * 10 + (text[colon + 2] - '0');
  const bool is_end_of_day = hour == 24 && minute == 0;
  if ((hour > 23 && !is_end_of_day) || minute > 59) return std::nullopt;
  return minutes(hour * 60 + minute);
}

std::optional<int> day_in(std::string_view text) {
  for (std::size_t i = 0; i < kDays.size(); ++i)
    if (equals_ignoring_case(kDays[i], text)) return static_cast<int>(i);
  return std::nullopt;
}

// "Mon" or "Fri-Mon" as bits.
std::optional<std::uint8_t> days_in(std::string_view text) {
  const std::size_t dash = text.find('-');
  const auto first = day_in(trim(text.substr(0, dash)));
  const auto last = dash == std::string_view::npos ? first : day_in(trim(text.substr(dash + 1)));
  if (!first || !last) return std::nullopt;
  std::uint8_t bits = 0;
  for (int day = *first;; day = (day + 1) % 7) {
    bits |= static_cast<std::uint8_t>(1u << day);
    if (day == *last) return bits;
  }
}

std::optional<ActiveSpan> hours_in(std::string_view text) {
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const auto from = time_in(trim(text.substr(0, dash)));
  const auto to = time_in(trim(text.substr(dash + 1)));
  if (!from || !to || *from == *to || *from == minutes(24 * 60)) return std::nullopt;
  return ActiveSpan{.from = *from, .to = *to};
}

// "Mon-Fri 08:00-18:00": either part may be missing, not both.
struct DaysAndHours {
  std::uint8_t weekdays = 0;
  std::optional<ActiveSpan> hours{};
};

std::optional<DaysAndHours> part_in(std::string_view text) {
  const std::size_t hours_start = text.find_first_of("0123456789");
  const std::string_view day_names = trim(text.substr(0, hours_start));
  DaysAndHours part;
  if (!day_names.empty()) {
    const auto weekdays = days_in(day_names);
    if (!weekdays) return std::nullopt;
    part.weekdays = *weekdays;
  }
  if (hours_start == std::string_view::npos)
    return day_names.empty() ? std::nullopt : std::optional(part);
  part.hours = hours_in(text.substr(hours_start));
  return part.hours ? std::optional(part) : std::nullopt;
}

struct LocalWindow {
  local_seconds begin;
  local_seconds end;
};

// The window that a span opens on a day, if it does.
std::optional<LocalWindow> window_on(const ActiveSpan& span, local_days day) {
  const unsigned weekday = std::chrono::weekday(day).c_encoding();
  if ((span.weekdays >> weekday & 1u) == 0) return std::nullopt;
  const bool is_over_midnight = span.to <= span.from;
  return LocalWindow{day + span.from, day + span.to + days(is_over_midnight ? 1 : 0)};
}

// The first local time at or after `from` inside of a span.
std::optional<local_seconds> next_inside(const ActiveHours& hours, local_seconds from) {
  const local_days today = std::chrono::floor<days>(from);
  std::optional<local_seconds> next;
  for (days away{-1}; away <= kLongestClosing; ++away)
    for (const ActiveSpan& span : hours) {
      const auto window = window_on(span, today + away);
      if (!window || window->end <= from) continue;
      const local_seconds begin = std::max(window->begin, from);
      next = next ? std::min(*next, begin) : begin;
    }
  return next;
}

// The end of all windows that hold this time: `time` itself when none does.
local_seconds end_of_windows_at(const ActiveHours& hours, local_seconds time) {
  const local_days today = std::chrono::floor<days>(time);
  local_seconds end = time;
  for (days away{-1}; away <= days(0); ++away)
    for (const ActiveSpan& span : hours) {
      const auto window = window_on(span, today + away);
      if (window && window->begin <= time && time < window->end) end = std::max(end, window->end);
    }
  return end;
}

// The first local time after `from` outside of all spans; a week is long enough to stop looking.
local_seconds next_outside(const ActiveHours& hours, local_seconds from) {
  local_seconds end = from;
  while (end - from <= kLongestClosing) {
    const local_seconds further = end_of_windows_at(hours, end);
    if (further == end) break;
    end = further;
  }
  return end;
}

sys_seconds whole_seconds(WallTime time) {
  return std::clamp(std::chrono::floor<seconds>(time), kFirstZoneTime, kLastZoneTime);
}

}  // namespace

Result<std::vector<ActiveSpan>> parse_active_hours(std::string_view text) {
  std::vector<ActiveSpan> spans;
  std::uint8_t weekdays = 0;  // given so far for the next hours
  for (const std::string_view each : split(text, ',')) {
    auto part = part_in(trim(each));
    if (!part) return wrong(trim(each));
    weekdays |= part->weekdays;
    if (!part->hours) continue;
    if (weekdays != 0) part->hours->weekdays = weekdays;
    weekdays = 0;
    spans.push_back(*part->hours);
  }
  if (weekdays != 0) return wrong(trim(text));  // days without hours
  return spans;
}

bool is_active(const ActiveHours& hours, const TimeZone& zone, WallTime time) {
  if (hours.empty()) return true;
  const local_seconds local = zone.to_local(whole_seconds(time));
  return next_inside(hours, local) == local;
}

std::optional<WallTime> next_active(const ActiveHours& hours, const TimeZone& zone, WallTime from) {
  if (is_active(hours, zone, from)) return from;
  sys_seconds time = whole_seconds(from);
  while (true) {
    const ZoneSpan span = zone.span_at(time);
    const auto inside = next_inside(hours, span.to_local(time));
    if (!inside) return std::nullopt;
    if (*inside < span.local_end()) return span.to_utc(*inside);
    time = span.end;
  }
}

std::optional<WallTime> active_until(const ActiveHours& hours, const TimeZone& zone,
                                     WallTime from) {
  if (hours.empty()) return std::nullopt;
  const sys_seconds start = whole_seconds(from);
  sys_seconds time = start;
  while (time - start <= kLongestClosing) {
    const ZoneSpan span = zone.span_at(time);
    const local_seconds local = span.to_local(time);
    const local_seconds outside = next_outside(hours, local);
    if (outside == local && time != start) return time;
    if (outside < span.local_end()) {
      if (outside - local > kLongestClosing) return std::nullopt;
      return span.to_utc(outside);
    }
    time = span.end;
  }
  return std::nullopt;
}

}  // namespace heddle::schedule
