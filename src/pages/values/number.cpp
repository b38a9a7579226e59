#include "pages/values/number.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "base/text.hpp"
#include "pages/values/normalized_text.hpp"

namespace heddle::pages {

namespace {

constexpr std::size_t kMaxDigits = 40;
constexpr char32_t kArabicDecimal = U'٫';
constexpr char32_t kArabicGroup = U'٬';

bool is_mark(char32_t c) {
  return c == U'.' || c == U',' || c == U'\'' || c == kArabicDecimal || c == kArabicGroup;
}

char32_t at_or_zero(std::u32string_view text, std::size_t at) {
  return at < text.size() ? text[at] : U'\0';
}

std::size_t end_of_digits(std::u32string_view text, std::size_t at) {
  while (is_digit(at_or_zero(text, at))) ++at;
  return at;
}

// Where a number of the form ".99" or "12…" starting at `begin` ends.
std::size_t end_of_number(std::u32string_view text, std::size_t begin) {
  std::size_t end = end_of_digits(text, is_digit(text[begin]) ? begin : begin + 1);
  bool may_group_by_space = end - begin <= 3 && is_digit(text[begin]);
  while (end < text.size()) {
    const std::size_t next = end_of_digits(text, end + 1);
    if (is_mark(text[end]) && next > end + 1) {
      may_group_by_space = false;
      end = next;
    } else if (text[end] == U' ' && may_group_by_space && next == end + 4) {
      end = next;
    } else {
      break;
    }
  }
  return end;
}

bool begins_number(std::u32string_view text, std::size_t at) {
  if (is_digit(text[at])) return true;
  if (text[at] != U'.' && text[at] != U',') return false;
  const char32_t before = at == 0 ? U' ' : text[at - 1];
  if (!is_digit(at_or_zero(text, at + 1)) || is_letter(before)) return false;
  // ".99" has one mark; in "$.750.30" the first belongs to the currency.
  const std::size_t end = end_of_digits(text, at + 1);
  return !is_mark(at_or_zero(text, end)) || !is_digit(at_or_zero(text, end + 1));
}

// "1.234,56": groups "1", "234", "56" and marks ".,".
struct NumberParts {
  std::vector<std::u32string_view> groups;
  std::u32string marks;
};

NumberParts split_number(std::u32string_view written) {
  NumberParts parts;
  while (true) {
    const std::size_t end = end_of_digits(written, 0);
    parts.groups.push_back(written.substr(0, end));
    if (end == written.size()) return parts;
    parts.marks += written[end];
    written.remove_prefix(end + 1);
  }
}

// A single mark before three digits groups thousands, unless the digits before it are no group.
bool is_decimal_before_three(const NumberParts& parts, DecimalMarkRules rules) {
  const std::u32string_view head = parts.groups.front();
  if (parts.marks[0] == U'\'') return false;
  if (head.size() > 3 || head.front() == U'0') return true;
  return parts.marks[0] == U'.' ? rules.dot_before_three_is_decimal
                                : rules.comma_before_three_is_decimal;
}

// True when the last mark separates the fraction.
bool has_fraction(const NumberParts& parts, DecimalMarkRules rules) {
  if (parts.marks.empty()) return false;
  const char32_t last = parts.marks.back();
  if (last == U' ' || last == kArabicGroup) return false;
  if (last == kArabicDecimal || parts.groups.back().size() != 3) return true;
  if (std::count(parts.marks.begin(), parts.marks.end(), last) > 1) return false;
  if (parts.marks.size() > 1) return last != U'\'';
  return is_decimal_before_three(parts, rules);
}

// Groups of three, or Indian grouping: twos and a last three. All marks must be equal.
bool are_sound_groups(std::span<const std::u32string_view> groups, std::u32string_view marks) {
  if (groups.size() == 1) return true;
  const bool one_mark =
      std::all_of(marks.begin(), marks.end(), [&](char32_t mark) { return mark == marks.front(); });
  if (!one_mark || groups[0].empty() || groups[0].size() > 3 || groups.back().size() != 3)
    return false;
  const auto middle = groups.subspan(1, groups.size() - 2);
  const auto all_have = [&](std::size_t size) {
    return std::all_of(middle.begin(), middle.end(),
                       [&](auto group) { return group.size() == size; });
  };
  return all_have(3) || (all_have(2) && groups[0].size() <= 2);
}

void append_digits(std::string& out, std::u32string_view digits) {
  for (const char32_t digit : digits) out += static_cast<char>(digit);
}

// "007" is "7", "" is "0".
std::string without_leading_zeros(std::string_view whole) {
  whole.remove_prefix(std::min(whole.find_first_not_of('0'), whole.size()));
  return whole.empty() ? "0" : std::string(whole);
}

struct MagnitudeWord {
  std::u32string_view word;
  int places;
};

constexpr auto kMagnitudes = std::to_array<MagnitudeWord>({
    {U"tsd", 3},      {U"tys", 3},       {U"тыс", 3},       {U"тис", 3},        {U"thousand", 3},
    {U"tausend", 3},  {U"mil", 3},       {U"lakh", 5},      {U"lakhs", 5},      {U"crore", 7},
    {U"crores", 7},   {U"mio", 6},       {U"mln", 6},       {U"млн", 6},        {U"million", 6},
    {U"millions", 6}, {U"millionen", 6}, {U"milione", 6},   {U"milioni", 6},    {U"millón", 6},
    {U"millones", 6}, {U"milhão", 6},    {U"milhões", 6},   {U"miljoen", 6},    {U"miljoner", 6},
    {U"milionů", 6},  {U"billion", 9},   {U"bn", 9},        {U"mrd", 9},        {U"mld", 9},
    {U"млрд", 9},     {U"milliard", 9},  {U"milliards", 9}, {U"milliarden", 9},
});

// Written without a space before and without a boundary after.
constexpr auto kMagnitudeSigns = std::to_array<MagnitudeWord>({{U"千", 3},
                                                               {U"万", 4},
                                                               {U"萬", 4},
                                                               {U"億", 8},
                                                               {U"亿", 8},
                                                               {U"천", 3},
                                                               {U"만", 4},
                                                               {U"억", 8}});

Magnitude attached_magnitude(const NormalizedText& normalized, std::size_t at, bool is_money) {
  for (const MagnitudeWord& sign : kMagnitudeSigns)
    if (at_or_zero(normalized.text, at) == sign.word[0]) return {sign.places, at + 1};
  if (is_letter(at_or_zero(normalized.text, at + 1))) return {};
  const char32_t letter = at_or_zero(normalized.text, at);
  if (letter == U'k' || letter == U'K') return {3, at + 1};
  if (letter == U'M' || (letter == U'm' && is_money)) return {6, at + 1};
  return {};
}

bool has_sign_before(std::u32string_view text, std::size_t at) {
  if (at == 0 || (text[at - 1] != U'-' && text[at - 1] != kMinus)) return false;
  return at == 1 || (!is_digit(text[at - 2]) && !is_letter(text[at - 2]));
}

std::optional<std::string> number_in(const NormalizedText& normalized, NumberSpan span) {
  auto decimal =
      read_decimal(std::u32string_view(normalized.text).substr(span.begin, span.end - span.begin));
  if (!decimal) return std::nullopt;
  if (const Magnitude magnitude = magnitude_at(normalized, span.end, false); magnitude.places != 0)
    decimal = shift_decimal(*decimal, magnitude.places);
  const bool is_zero = decimal->find_first_not_of("0.") == std::string::npos;
  return has_sign_before(normalized.text, span.begin) && !is_zero ? "-" + *decimal : *decimal;
}

}  // namespace

std::vector<NumberSpan> find_numbers(std::u32string_view text) {
  std::vector<NumberSpan> spans;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!begins_number(text, at)) continue;
    const std::size_t end = end_of_number(text, at);
    spans.push_back({at, end});
    at = end - 1;
  }
  return spans;
}

std::optional<std::string> read_decimal(std::u32string_view written, DecimalMarkRules rules) {
  const NumberParts parts = split_number(written);
  const bool fraction = has_fraction(parts, rules);
  const std::size_t whole_groups = parts.groups.size() - (fraction ? 1 : 0);
  const std::span groups(parts.groups.data(), whole_groups);
  const auto marks = std::u32string_view(parts.marks).substr(0, whole_groups - 1);
  if (written.size() > kMaxDigits || !are_sound_groups(groups, marks)) return std::nullopt;

  std::string whole;
  for (const std::u32string_view group : groups) append_digits(whole, group);
  std::string out = without_leading_zeros(whole);
  if (!fraction) return out;
  out += '.';
  append_digits(out, parts.groups.back());
  return out;
}

std::string shift_decimal(std::string_view decimal, int places) {
  const std::size_t point = std::min(decimal.find('.'), decimal.size());
  std::string digits(decimal.substr(0, point));
  if (point < decimal.size()) digits += decimal.substr(point + 1);
  auto new_point = static_cast<std::ptrdiff_t>(point) + places;
  if (new_point < 1) {
    digits.insert(0, static_cast<std::size_t>(1 - new_point), '0');
    new_point = 1;
  }
  const auto whole_size = static_cast<std::size_t>(new_point);
  if (digits.size() < whole_size) digits.append(whole_size - digits.size(), '0');
  std::string out = without_leading_zeros(std::string_view(digits).substr(0, whole_size));
  if (digits.size() > whole_size) out += "." + digits.substr(whole_size);
  return out;
}

bool is_less(std::string_view a, std::string_view b) {
  const std::string_view whole_a = a.substr(0, a.find('.'));
  const std::string_view whole_b = b.substr(0, b.find('.'));
  if (whole_a.size() != whole_b.size()) return whole_a.size() < whole_b.size();
  // Equally long whole parts: the order of the texts, in which "1" comes before "1.5".
  return a < b;
}

Magnitude magnitude_at(const NormalizedText& normalized, std::size_t at, bool is_money) {
  if (const Magnitude attached = attached_magnitude(normalized, at, is_money); attached.places != 0)
    return attached;
  if (at_or_zero(normalized.text, at) == U' ') ++at;
  const std::u32string_view rest =
      std::u32string_view(normalized.folded).substr(std::min(at, normalized.folded.size()));
  for (const MagnitudeWord& entry : kMagnitudes) {
    if (!rest.starts_with(entry.word) || is_letter(at_or_zero(rest, entry.word.size()))) continue;
    const std::size_t end = at + entry.word.size();
    return {entry.places, at_or_zero(normalized.text, end) == U'.' ? end + 1 : end};
  }
  return {};
}

std::optional<std::string> read_number(std::string_view text) {
  const NormalizedText normalized(text);
  std::optional<std::string> part_of_a_word;
  for (const NumberSpan span : find_numbers(normalized.text)) {
    auto number = number_in(normalized, span);
    if (!number) continue;
    if (span.begin == 0 || !is_letter(normalized.text[span.begin - 1])) return number;
    if (!part_of_a_word) part_of_a_word = std::move(number);
  }
  return part_of_a_word;
}

}  // namespace heddle::pages
