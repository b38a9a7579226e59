// Reads compiled time zone files (TZif, RFC 8536, versions 1 to 4). Untrusted input: sizes are
// bounded, damage is an error. Pure.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "schedule/zone/posix_rule.hpp"

namespace heddle::schedule {

inline constexpr std::size_t kLargestZoneFile = 65'536;  // real ones have less than 4,000 bytes

// Changes outside of these years are dropped.
inline constexpr std::chrono::sys_seconds kFirstZoneTime =
    std::chrono::sys_days(std::chrono::year(1) / 1 / 1);
inline constexpr std::chrono::sys_seconds kLastZoneTime =
    std::chrono::sys_days(std::chrono::year(9999) / 12 / 31);

struct ZoneChange {
  std::chrono::sys_seconds at;
  std::chrono::seconds offset;  // from UTC, from then on
};

struct ZoneHistory {
  std::chrono::seconds first_offset{0};  // before all changes
  std::vector<ZoneChange> changes;       // strictly later each
  std::optional<PosixRule> rule;         // from the last change on; without it that one lasts
};

// Refuses files that count leap seconds ("right/…"): the system's clock does not.
Result<ZoneHistory> parse_tzif(std::string_view bytes);

}  // namespace heddle::schedule
