#include "cli/since.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace heddle::cli {

namespace {

using namespace std::chrono;

constexpr std::array<std::pair<char, milliseconds>, 5> kUnits{
    {{'s', seconds(1)}, {'m', minutes(1)}, {'h', hours(1)}, {'d', days(1)}, {'w', weeks(1)}}};
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
    const auto* unit = std::find_if(kUnits.begin(), kUnits.end(),
                                    [c](const auto& each) { return each.first == c; });
    if (unit == kUnits.end() || number < 0) return std::nullopt;
    total += unit->second * number;
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

Result<std::optional<WallTime>> since_option(const std::string& text, WallTime now) {
  if (text.empty()) return std::optional<WallTime>();
  if (auto since = parse_since(text, now)) return since;
  return Error{ErrorCode::bad_input,
               "--since " + text + ": not a time; allowed: 2026-11-01, 2026-11-01T08:00Z, 7d, 12h"};
}

}  // namespace heddle::cli
