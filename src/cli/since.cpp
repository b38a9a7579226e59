#include "cli/since.hpp"

#include <cstdint>

namespace heddle::cli {

namespace {

using namespace std::chrono;

std::optional<milliseconds> unit_of(char letter) {
  switch (letter) {
    case 's':
      return seconds(1);
    case 'm':
      return minutes(1);
    case 'h':
      return hours(1);
    case 'd':
      return days(1);
    case 'w':
      return weeks(1);
    default:
      return std::nullopt;
  }
}

constexpr std::int64_t kLargestNumber = 1'000'000;

std::optional<milliseconds> parse_ago(std::string_view text) {
  milliseconds total{0};
  std::int64_t number = -1;  // no digit read yet
  for (const char c : text) {
    if (c >= '0' && c <= '9') {
      number = (number < 0 ? 0 : number) * 10 + (c - '0');
      if (number > kLargestNumber) return std::nullopt;
      continue;
    }
    const auto unit = unit_of(c);
    if (!unit || number < 0) return std::nullopt;
    total += *unit * number;
    number = -1;
  }
  if (number >= 0 || text.empty()) return std::nullopt;
  return total;
}

}  // namespace

std::optional<WallTime> parse_since(std::string_view text, WallTime now) {
  if (const auto point = parse_iso8601(text)) return point;
  if (const auto ago = parse_ago(text)) return now - *ago;
  return std::nullopt;
}

}  // namespace heddle::cli
