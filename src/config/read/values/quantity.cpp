#include "config/read/values/quantity.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "base/text.hpp"

namespace heddle::config {

namespace {

struct QuantityUnit {
  std::string_view name;
  double factor;
};

constexpr std::array<QuantityUnit, 5> kTimeUnits{
    {{"d", 86'400'000}, {"h", 3'600'000}, {"m", 60'000}, {"s", 1000}, {"ms", 1}}};
constexpr std::array<QuantityUnit, 10> kSizeUnits{{{"", 1},
                                                   {"b", 1},
                                                   {"kb", 1e3},
                                                   {"mb", 1e6},
                                                   {"gb", 1e9},
                                                   {"tb", 1e12},
                                                   {"kib", 1024.0},
                                                   {"mib", 1048576.0},
                                                   {"gib", 1073741824.0},
                                                   {"tib", 1099511627776.0}}};

constexpr double kMaxCount = 9e15;  // exact as a double, and far below 2^63

// Removes digits with at most one dot between them from the front.
std::optional<double> take_decimal(std::string_view& text) {
  std::size_t end = text.find_first_not_of("0123456789.");
  if (end == std::string_view::npos) end = text.size();
  const auto number = parse_number(text.substr(0, end));
  if (!number || text.front() == '.' || text[end - 1] == '.') return std::nullopt;
  text.remove_prefix(end);
  return number;
}

std::string_view take_letters(std::string_view& text) {
  std::size_t end = 0;
  while (end < text.size() && text[end] >= 'a' && text[end] <= 'z') ++end;
  const std::string_view letters = text.substr(0, end);
  text.remove_prefix(end);
  return letters;
}

template <std::size_t N>
const QuantityUnit* find_unit(const std::array<QuantityUnit, N>& units, std::string_view name) {
  for (const QuantityUnit& unit : units)
    if (unit.name == name) return &unit;
  return nullptr;
}

std::optional<std::int64_t> whole(double count) {
  if (!std::isfinite(count) || count < 0 || count > kMaxCount) return std::nullopt;
  return std::llround(count);
}

template <class Number>
std::optional<Number> parse_whole_text(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

std::optional<std::chrono::milliseconds> parse_duration(std::string_view text) {
  text = trim(text);
  if (const auto seconds = parse_integer(text))
    return seconds_to_duration(static_cast<double>(*seconds));
  if (text.empty()) return std::nullopt;
  double total = 0;
  const QuantityUnit* last = nullptr;
  while (!text.empty()) {
    const auto number = take_decimal(text);
    const QuantityUnit* const unit = find_unit(kTimeUnits, take_letters(text));
    if (!number || unit == nullptr || (last != nullptr && unit <= last)) return std::nullopt;
    total += *number * unit->factor;
    last = unit;
  }
  const auto count = whole(total);
  if (!count) return std::nullopt;
  return std::chrono::milliseconds(*count);
}

std::optional<std::chrono::milliseconds> seconds_to_duration(double seconds) {
  const auto count = whole(seconds * 1000);
  if (!count) return std::nullopt;
  return std::chrono::milliseconds(*count);
}

std::optional<std::int64_t> parse_size(std::string_view text) {
  text = trim(text);
  if (text.empty()) return std::nullopt;
  const auto number = take_decimal(text);
  const QuantityUnit* const unit = find_unit(kSizeUnits, to_lower_ascii(trim(text)));
  if (!number || unit == nullptr) return std::nullopt;
  return whole(*number * unit->factor);
}

std::optional<double> parse_percent(std::string_view text) {
  if (!text.ends_with('%')) return std::nullopt;
  const auto number = parse_number(trim(text.substr(0, text.size() - 1)));
  if (!number || !(*number > 0) || *number > 100) return std::nullopt;
  return number;
}

std::optional<int> parse_time_of_day(std::string_view text) {
  if (text.size() != 5 || text[2] != ':') return std::nullopt;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  for (const std::size_t at : {0, 1, 3, 4})
    if (!is_digit(text[at])) return std::nullopt;
  const auto two = [&](std::size_t at) { return (text[at] - '0') * 10 + (text[at + 1] - '0'); };
  if (two(0) > 23 || two(3) > 59) return std::nullopt;
  return two(0) * 60 + two(3);
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  return parse_whole_text<std::int64_t>(text);
}

std::optional<double> parse_number(std::string_view text) {
  const auto number = parse_whole_text<double>(text);
  if (!number || !std::isfinite(*number)) return std::nullopt;
  return number;
}

}  // namespace heddle::config
