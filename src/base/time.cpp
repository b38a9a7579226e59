#include "base/time.hpp"

#include <array>
#include <cstdlib>

#include <fmt/format.h>

namespace heddle {

using namespace std::chrono;

WallTime SystemClock::now() const {
  return floor<milliseconds>(system_clock::now());
}

std::string to_iso8601(WallTime time) {
  const auto day = floor<days>(time);
  const year_month_day date{day};
  const hh_mm_ss clock{time - day};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                     clock.subseconds().count());
}

namespace {

struct DurationUnit {
  milliseconds size;
  const char* name;
};

constexpr std::array<DurationUnit, 5> kUnits{{{days(1), "d"},
                                              {hours(1), "h"},
                                              {minutes(1), "m"},
                                              {seconds(1), "s"},
                                              {milliseconds(1), "ms"}}};

// Reads exactly `digits` digits off the front.
bool take_number(std::string_view& text, std::size_t digits, int& out) {
  if (text.size() < digits) return false;
  out = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    if (text[i] < '0' || text[i] > '9') return false;
    out = out * 10 + (text[i] - '0');
  }
  text.remove_prefix(digits);
  return true;
}

bool take_char(std::string_view& text, std::string_view allowed) {
  if (text.empty() || allowed.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

// ".412…": any number of digits, milliseconds kept.
bool take_fraction(std::string_view& text, milliseconds& out) {
  int scale = 100;
  if (text.empty() || text.front() < '0' || text.front() > '9') return false;
  while (!text.empty() && text.front() >= '0' && text.front() <= '9') {
    out += milliseconds((text.front() - '0') * scale);
    scale /= 10;
    text.remove_prefix(1);
  }
  return true;
}

bool take_date(std::string_view& text, sys_days& out) {
  int y = 0;
  int m = 0;
  int d = 0;
  if (!take_number(text, 4, y) || !take_char(text, "-") || !take_number(text, 2, m) ||
      !take_char(text, "-") || !take_number(text, 2, d))
    return false;
  const year_month_day date{year{y}, month{static_cast<unsigned>(m)},
                            day{static_cast<unsigned>(d)}};
  out = sys_days{date};
  return date.ok();
}

bool take_clock(std::string_view& text, milliseconds& out) {
  int h = 0;
  int m = 0;
  int s = 0;
  if (!take_number(text, 2, h) || !take_char(text, ":") || !take_number(text, 2, m)) return false;
  if (take_char(text, ":") && !take_number(text, 2, s)) return false;
  if (h > 23 || m > 59 || s > 60) return false;
  out = hours(h) + minutes(m) + seconds(s);
  return !take_char(text, ".") || take_fraction(text, out);
}

bool take_zone(std::string_view& text, minutes& out) {
  if (text.empty() || take_char(text, "Zz")) return true;
  const bool is_east = text.front() == '+';
  int h = 0;
  int m = 0;
  if (!take_char(text, "+-") || !take_number(text, 2, h)) return false;
  take_char(text, ":");
  if (!take_number(text, 2, m) || h > 23 || m > 59) return false;
  out = hours(h) + minutes(m);
  if (!is_east) out = -out;
  return true;
}

}  // namespace

std::optional<WallTime> parse_iso8601(std::string_view text) {
  sys_days date;
  milliseconds clock{0};
  minutes zone{0};
  if (!take_date(text, date)) return std::nullopt;
  if (text.empty()) return WallTime{date};
  if (!take_char(text, "T t") || !take_clock(text, clock) || !take_zone(text, zone) ||
      !text.empty())
    return std::nullopt;
  return WallTime{date} + clock - zone;
}

std::string to_short_text(milliseconds duration) {
  if (duration < milliseconds(0)) return "-" + to_short_text(-duration);
  if (duration == milliseconds(0)) return "0s";
  std::string out;
  for (const DurationUnit& unit : kUnits) {
    const auto count = duration / unit.size;
    if (count > 0) out += fmt::format("{}{}", count, unit.name);
    duration %= unit.size;
  }
  return out;
}

}  // namespace heddle
