#include "pages/values/normalized_text.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.hpp"

namespace heddle::pages {

namespace {

constexpr std::size_t kMaxCharacters = 2000;
constexpr char32_t kLeftOut = U'\0';

struct CharacterRange {
  char32_t first;
  char32_t last;
};

template <std::size_t N>
bool is_in(const std::array<CharacterRange, N>& ranges, char32_t c) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [c](CharacterRange range) { return c >= range.first && c <= range.last; });
}

constexpr std::array<CharacterRange, 8> kSpaces{{{0x09, 0x0D},
                                                 {0xA0, 0xA0},
                                                 {0x1680, 0x1680},
                                                 {0x2000, 0x200A},
                                                 {0x2028, 0x2029},
                                                 {0x202F, 0x202F},
                                                 {0x205F, 0x205F},
                                                 {0x3000, 0x3000}}};
constexpr std::array<CharacterRange, 5> kInvisible{
    {{0xAD, 0xAD}, {0x200B, 0x200F}, {0x202A, 0x202E}, {0x2060, 0x2069}, {0xFEFF, 0xFEFF}}};

// The zeros of the non-ASCII digits used on the web.
constexpr std::array<char32_t, 16> kZeros{0x0660, 0x06F0, 0x0966, 0x09E6, 0x0A66, 0x0AE6,
                                          0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66, 0x0E50,
                                          0x0ED0, 0x0F20, 0x1040, 0x17E0};

std::optional<char32_t> digit_of(char32_t c) {
  for (const char32_t zero : kZeros)
    if (c >= zero && c <= zero + 9) return U'0' + (c - zero);
  return std::nullopt;
}

char32_t punctuation_of(char32_t c) {
  switch (c) {
    case U'\u2019':
    case U'\u2018':
    case U'\u02BC':
    case U'\u00B4':
    case U'\u2032':
      return U'\'';
    case U'\u2010':
    case U'\u2011':
    case U'\uFE63':
      return U'-';
    case U'\u2012':
    case U'\u2014':
    case U'\u2015':
      return kDash;
    case U'\u066A':
      return U'%';
    case U'\u301C':
      return U'~';
    case U'\uFFE1':
      return U'£';
    case U'\uFFE5':
      return U'¥';
    case U'\uFFE6':
      return U'₩';
    default:
      return c;
  }
}

char32_t plain_form(char32_t c) {
  if (c < 0x7F && c > 0x1F) return c;
  if (is_in(kInvisible, c) || c == kLeftOut) return kLeftOut;
  if (is_in(kSpaces, c)) return U' ';
  if (c >= 0xFF01 && c <= 0xFF5E) return c - 0xFEE0;  // full-width ASCII
  return digit_of(c).value_or(punctuation_of(c));
}

std::optional<char32_t> superscript_digit(char32_t c) {
  if (c == U'¹') return U'1';
  if (c == U'²' || c == U'³') return U'2' + (c - U'²');
  if (c == 0x2070 || (c >= 0x2074 && c <= 0x2079)) return U'0' + (c - 0x2070);
  return std::nullopt;
}

bool ends_with_fraction(std::u32string_view text) {
  if (text.size() < 3) return false;
  const char32_t mark = text[text.size() - 3];
  return (mark == U'.' || mark == U',') && is_digit(text[text.size() - 2]);
}

// Shops write cents as superscript: exactly two small digits right after a whole number.
bool are_raised_cents(std::u32string_view raw, std::size_t at, std::u32string_view before) {
  if (before.empty() || !is_digit(before.back()) || ends_with_fraction(before)) return false;
  const auto is_raised = [&](std::size_t i) { return i < raw.size() && superscript_digit(raw[i]); };
  return is_raised(at) && is_raised(at + 1) && !is_raised(at + 2);
}

std::u32string plain_text(std::u32string_view raw) {
  std::u32string out;
  out.reserve(raw.size());
  for (std::size_t at = 0; at < raw.size(); ++at) {
    if (are_raised_cents(raw, at, out)) {
      out += {U'.', *superscript_digit(raw[at]), *superscript_digit(raw[at + 1])};
      ++at;
      continue;
    }
    const char32_t c = plain_form(raw[at]);
    const bool is_second_space = c == U' ' && (out.empty() || out.back() == U' ');
    if (c != kLeftOut && !is_second_space) out += c;
  }
  while (!out.empty() && out.back() == U' ') out.pop_back();
  return out;
}

bool is_dash(char32_t c) {
  return c == U'-' || c == kDash || c == kMinus;
}

// Length of the ",-" or ".--" that means no cents after a digit; 0 when there is none.
std::size_t no_cents_length(std::u32string_view text, std::size_t at) {
  if (at == 0 || !is_digit(text[at - 1]) || (text[at] != U',' && text[at] != U'.')) return 0;
  std::size_t end = at + 1;
  while (end < text.size() && is_dash(text[end])) ++end;
  const bool has_dash = end > at + 1;
  return has_dash && (end == text.size() || !is_digit(text[end])) ? end - at : 0;
}

std::u32string without_empty_cents(std::u32string_view text) {
  std::u32string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t skipped = no_cents_length(text, at);
    if (skipped == 0)
      out += text[at];
    else
      at += skipped - 1;
  }
  return out;
}

}  // namespace

NormalizedText::NormalizedText(std::string_view utf8) {
  // A character has at most four bytes, so this holds kMaxCharacters of them.
  std::u32string raw = to_code_points(utf8_prefix(utf8, kMaxCharacters * 4));
  raw.resize(std::min(raw.size(), kMaxCharacters));
  text = without_empty_cents(plain_text(raw));
  folded = text;
  std::transform(text.begin(), text.end(), folded.begin(), [](char32_t c) { return fold_case(c); });
}

}  // namespace heddle::pages
