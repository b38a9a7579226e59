#include "base/text.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <cwctype>

#include <locale.h>

namespace heddle {

namespace {

constexpr std::string_view kSpace = " \t\r\n\f\v";
constexpr char32_t kReplacement = 0xFFFD;

char lower_ascii(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

// glibc has C.UTF-8 built in, so this works without installed locales and for any LANG.
locale_t unicode() {
  static const locale_t locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  return locale;
}

char32_t decode(std::string_view sequence) {
  const auto lead = static_cast<unsigned char>(sequence[0]);
  if (sequence.size() == 1) return lead;
  char32_t code = lead & (0x7Fu >> sequence.size());
  for (const char c : sequence.substr(1))
    code = (code << 6) | (static_cast<unsigned char>(c) & 63u);
  return code;
}

// Calls on_char(code point) per character and on_junk(byte) for what is not UTF-8.
template <class OnChar, class OnJunk>
void for_each_character(std::string_view text, OnChar on_char, OnJunk on_junk) {
  while (!text.empty()) {
    const std::size_t length = utf8_sequence_length(text);
    if (length == 0) {
      on_junk(text.front());
      text.remove_prefix(1);
    } else {
      on_char(decode(text.substr(0, length)));
      text.remove_prefix(length);
    }
  }
}

constexpr std::uint64_t kHighBits = 0x8080808080808080;

// Eight bytes at a time: most of the web's bytes are ASCII.
std::size_t ascii_prefix_length(std::string_view text) {
  std::size_t length = 0;
  for (std::uint64_t word = 0; length + sizeof word <= text.size(); length += sizeof word) {
    std::memcpy(&word, text.data() + length, sizeof word);
    if ((word & kHighBits) != 0) break;
  }
  while (length < text.size() && static_cast<unsigned char>(text[length]) < 0x80) ++length;
  return length;
}

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0u) == 0x80u;
}

// Second bytes are limited after some leads: no overlong forms, no surrogates, nothing past
// U+10FFFF.
bool is_allowed_second(unsigned char lead, unsigned char second) {
  if (lead == 0xE0) return second >= 0xA0;
  if (lead == 0xED) return second <= 0x9F;
  if (lead == 0xF0) return second >= 0x90;
  if (lead == 0xF4) return second <= 0x8F;
  return true;
}

// Insertions, deletions, replacements and swaps of neighbours count one each.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
      const bool is_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swap) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

struct CodePointRange {
  char32_t first;
  char32_t last;
};

// glibc has no class for marks; these are the blocks of scripts in use on the web.
constexpr std::array<CodePointRange, 17> kMarks{{{0x0300, 0x036F},
                                                 {0x0483, 0x0489},
                                                 {0x0591, 0x05BD},
                                                 {0x0610, 0x061A},
                                                 {0x064B, 0x065F},
                                                 {0x0670, 0x0670},
                                                 {0x06D6, 0x06DC},
                                                 {0x0900, 0x0963},
                                                 {0x0981, 0x0DF3},
                                                 {0x0E31, 0x0E4E},
                                                 {0x0EB1, 0x0ECD},
                                                 {0x0F71, 0x0F84},
                                                 {0x102B, 0x103E},
                                                 {0x17B4, 0x17D3},
                                                 {0x1DC0, 0x1DFF},
                                                 {0x20D0, 0x20F0},
                                                 {0xFE20, 0xFE2F}}};

}  // namespace

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
  std::string out;
  for (const std::string& part : parts) {
    if (&part != &parts.front()) out += separator;
    out += part;
  }
  return out;
}

std::string to_lower_ascii(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), lower_ascii);
  return out;
}

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower_ascii(x) == lower_ascii(y); });
}

std::string fold_case(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for_each_character(
      text,
      [&](char32_t c) {
        if (c < 0x80)
          out += lower_ascii(static_cast<char>(c));
        else
          append_utf8(out, fold_case(c));
      },
      [&](char junk) { out += junk; });
  return out;
}

char32_t fold_case(char32_t code_point) {
  if (code_point == U'ς') return U'σ';
  return static_cast<char32_t>(towlower_l(static_cast<wint_t>(code_point), unicode()));
}

bool is_letter(char32_t code_point) {
  return iswalpha_l(static_cast<wint_t>(code_point), unicode()) != 0;
}

bool is_combining_mark(char32_t code_point) {
  const bool is_listed = std::any_of(kMarks.begin(), kMarks.end(), [&](CodePointRange range) {
    return code_point >= range.first && code_point <= range.last;
  });
  return is_listed && iswalnum_l(static_cast<wint_t>(code_point), unicode()) == 0;
}

std::string to_slug(std::string_view name) {
  std::string out;
  bool gap = false;
  const auto on_gap = [&](char) { gap = true; };
  for_each_character(
      name,
      [&](char32_t c) {
        const bool continues_word = !gap && !out.empty() && is_combining_mark(c);
        if (!continues_word && iswalnum_l(static_cast<wint_t>(c), unicode()) == 0)
          return on_gap(' ');
        if (gap && !out.empty()) out += '-';
        gap = false;
        append_utf8(out, static_cast<char32_t>(towlower_l(static_cast<wint_t>(c), unicode())));
      },
      on_gap);
  return out;
}

std::size_t utf8_sequence_length(std::string_view text) {
  if (text.empty()) return 0;
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (text.size() < length) return 0;
  if (!std::all_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(length),
                   is_continuation))
    return 0;
  return is_allowed_second(lead, static_cast<unsigned char>(text[1])) ? length : 0;
}

bool is_valid_utf8(std::string_view text) {
  while (!text.empty()) {
    text.remove_prefix(ascii_prefix_length(text));
    if (text.empty()) return true;
    const std::size_t length = utf8_sequence_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string to_valid_utf8(std::string text) {
  if (is_valid_utf8(text)) return text;
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  for_each_character(
      text, [&](char32_t c) { append_utf8(out, c); },
      [&](char) { append_utf8(out, kReplacement); });
  return out;
}

std::string_view utf8_prefix(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  // A character has at most three bytes after its first; more are no character to be kept whole.
  const std::size_t earliest = max_bytes - std::min<std::size_t>(max_bytes, 3);
  std::size_t end = max_bytes;
  while (end > earliest && is_continuation(text[end])) --end;
  return text.substr(0, is_continuation(text[end]) ? max_bytes : end);
}

void append_utf8(std::string& out, char32_t c) {
  const auto put = [&out](char32_t byte) {
    out += static_cast<char>(static_cast<unsigned char>(byte));
  };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | (c >> 6));
    put(0x80 | (c & 63));
  } else if (c < 0x10000) {
    put(0xE0 | (c >> 12));
    put(0x80 | ((c >> 6) & 63));
    put(0x80 | (c & 63));
  } else {
    put(0xF0 | (c >> 18));
    put(0x80 | ((c >> 12) & 63));
    put(0x80 | ((c >> 6) & 63));
    put(0x80 | (c & 63));
  }
}

std::u32string to_code_points(std::string_view text) {
  std::u32string out;
  out.reserve(text.size());
  for_each_character(
      text, [&](char32_t c) { out += c; }, [&](char) { out += kReplacement; });
  return out;
}

std::optional<std::string_view> nearest_name(std::string_view typed,
                                             std::span<const std::string_view> candidates) {
  std::optional<std::string_view> best;
  std::size_t best_distance = std::max<std::size_t>(1, typed.size() / 3) + 1;
  for (const std::string_view candidate : candidates) {
    // No fewer edits than this are needed; also bounds the quadratic cost for long texts.
    const std::size_t least =
        std::max(typed.size(), candidate.size()) - std::min(typed.size(), candidate.size());
    if (least >= best_distance) continue;
    const std::size_t distance = edit_distance(typed, candidate);
    if (distance >= best_distance) continue;
    best_distance = distance;
    best = candidate;
  }
  return best;
}

}  // namespace heddle
