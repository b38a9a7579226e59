#include "schedule/active_hours.hpp"

#include <array>
#include <optional>

#include <fmt/format.h>

#include "base/text.hpp"

namespace heddle::schedule {

namespace {

using std::chrono::minutes;

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
struct Part {
  std::uint8_t weekdays = 0;
  std::optional<ActiveSpan> hours{};
};

std::optional<Part> part_in(std::string_view text) {
  const std::size_t hours_start = text.find_first_of("0123456789");
  const std::string_view days = trim(text.substr(0, hours_start));
  Part part;
  if (!days.empty()) {
    const auto weekdays = days_in(days);
    if (!weekdays) return std::nullopt;
    part.weekdays = *weekdays;
  }
  if (hours_start == std::string_view::npos)
    return days.empty() ? std::nullopt : std::optional(part);
  part.hours = hours_in(text.substr(hours_start));
  return part.hours ? std::optional(part) : std::nullopt;
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

}  // namespace heddle::schedule
