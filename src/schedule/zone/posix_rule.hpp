// Parses the yearly rule at the end of a zone's file ("CET-1CEST,M3.5.0,M10.5.0/3"), which applies
// after its last listed change. Plain values.
#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <string_view>

#include "base/result.hpp"

namespace heddle::schedule {

// No zone was ever further from UTC, and RFC 8536 allows no more.
inline constexpr std::chrono::seconds kFarthestOffset = std::chrono::hours(26);

// A day that comes once a year, and the time on it (which may lie some days before or after).
struct YearlyMoment {
  enum class Kind { weekday_of_month, day_without_leap_day, day_of_year };

  Kind kind = Kind::weekday_of_month;
  unsigned month = 1;    // 1 to 12, for weekday_of_month
  unsigned week = 1;     // 1 to 5, 5 is the last
  unsigned weekday = 0;  // 0 is Sunday
  int day = 0;           // 1 to 365 without, 0 to 365 with the leap day
  std::chrono::seconds time = std::chrono::hours(2);

  [[nodiscard]] std::chrono::local_seconds in(std::chrono::year year) const;
};

struct PosixRule {
  struct Summer {
    std::chrono::seconds offset{0};
    YearlyMoment start;  // in standard time
    YearlyMoment end;    // in summer time
  };
  struct Change {
    std::chrono::sys_seconds at;
    std::chrono::seconds offset;  // from then on
  };

  std::chrono::seconds standard{0};  // east of UTC is positive, unlike in the text
  std::optional<Summer> summer;

  // Both changes of a year, in the order of time. Only for rules with a summer.
  [[nodiscard]] std::array<Change, 2> changes_in(std::chrono::year year) const;
};

// Untrusted text: anything but one whole rule is refused.
Result<PosixRule> parse_posix_rule(std::string_view text);

}  // namespace heddle::schedule
