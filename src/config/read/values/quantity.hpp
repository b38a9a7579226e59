// Parses durations, sizes, percentages and times of day. Pure.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

namespace heddle::config {

// "250ms", "90s", "10m", "1h30m", "7d", "1.5h", "600" (seconds). Units may not repeat.
std::optional<std::chrono::milliseconds> parse_duration(std::string_view text);

// Returns nullopt when the number is negative, not finite or too large.
std::optional<std::chrono::milliseconds> seconds_to_duration(double seconds);

// "10MB" is 10,000,000 and "10MiB" 10,485,760; B, KB, MB, GB, TB and their binary forms; a plain
// number is bytes. Case-insensitive; a space before the unit is allowed.
std::optional<std::int64_t> parse_size(std::string_view text);

// "10%": 0 < n <= 100.
std::optional<double> parse_percent(std::string_view text);

// "08:00" as minutes after midnight.
std::optional<int> parse_time_of_day(std::string_view text);

// The whole text must be a number.
std::optional<std::int64_t> parse_integer(std::string_view text);
std::optional<double> parse_number(std::string_view text);

}  // namespace heddle::config
