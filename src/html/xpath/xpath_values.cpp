#include "html/xpath/xpath_values.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "base/text.hpp"

namespace heddle::html {

namespace {

constexpr std::string_view kSpace = " \t\r\n";

}  // namespace

double xpath_number(std::string_view text) {
  constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return kNotANumber;
  text = text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  const bool is_plain = std::all_of(digits.begin(), digits.end(),
                                    [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
  if (!is_plain || digits.empty() || digits == ".") return kNotANumber;
  if (std::count(digits.begin(), digits.end(), '.') > 1) return kNotANumber;
  double number = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (read.ec == std::errc::result_out_of_range) number = std::numeric_limits<double>::infinity();
  return text.starts_with('-') ? -number : number;
}

std::string xpath_text(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number < 0 ? "-Infinity" : "Infinity";
  if (number == 0) return "0";
  std::array<char, 400> digits{};  // the largest double has 309
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), number, std::chars_format::fixed);
  return {digits.data(), end.ptr};
}

double xpath_round(double number) {
  if (std::isnan(number) || std::isinf(number)) return number;
  const double down = std::floor(number);
  return number - down < 0.5 ? down : down + 1;
}

std::string normalize_space(std::string_view text) {
  std::string out;
  while (true) {
    const std::size_t begin = text.find_first_not_of(kSpace);
    if (begin == std::string_view::npos) return out;
    text.remove_prefix(begin);
    const std::size_t end = std::min(text.find_first_of(kSpace), text.size());
    if (!out.empty()) out += ' ';
    out += text.substr(0, end);
    text.remove_prefix(end);
  }
}

std::string translate_characters(std::string_view text, std::string_view from,
                                 std::string_view to) {
  const std::u32string sources = to_code_points(from);
  const std::u32string targets = to_code_points(to);
  constexpr char32_t kRemoved = 0xFFFFFFFF;
  std::unordered_map<char32_t, char32_t> map;
  for (std::size_t i = 0; i < sources.size(); ++i)
    map.emplace(sources[i], i < targets.size() ? targets[i] : kRemoved);
  std::string out;
  for (const char32_t each : to_code_points(text)) {
    const auto found = map.find(each);
    if (found == map.end())
      append_utf8(out, each);
    else if (found->second != kRemoved)
      append_utf8(out, found->second);
  }
  return out;
}

std::string xpath_substring(std::string_view text, double first, double length) {
  const double begin = xpath_round(first);
  const double end = begin + xpath_round(length);  // NaN when both are infinite: nothing
  std::string out;
  double position = 0;
  for (const char32_t each : to_code_points(text)) {
    ++position;
    if (position >= begin && position < end) append_utf8(out, each);
  }
  return out;
}

std::size_t count_characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80;
  }));
}

}  // namespace heddle::html
