#include "html/parser/tokenizer/character_reference.hpp"

#include <algorithm>
#include <cstring>

#include "html/parser/tokenizer/character_reference_table.hpp"
#include "html/parser/tokenizer/characters.hpp"

namespace heddle::html::parser {

namespace {

constexpr std::size_t kLongestName = 31;
constexpr std::size_t kLongestNameWithoutSemicolon = 6;
constexpr std::size_t kShortestName = 2;
constexpr std::uint32_t kReplacement = 0xFFFD;  // U+FFFD
constexpr std::uint32_t kTooLarge = 0x110000;   // one more than the last code point

// Code points that the standard maps to Windows-1252; 0 where they stay unchanged.
constexpr std::array<std::uint16_t, 32> kWindows1252 = {
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

std::uint32_t meant_code_point(std::uint32_t number) {
  if (number == 0 || number > 0x10FFFF) return kReplacement;
  if (number >= 0xD800 && number <= 0xDFFF) return kReplacement;
  if (number < 0x80 || number > 0x9F) return number;
  const std::uint32_t meant = kWindows1252[number - 0x80];
  return meant == 0 ? number : meant;
}

void put_utf8(CharacterReference& out, std::uint32_t code_point) {
  const auto tail = [&](unsigned shift) {
    out.bytes[out.size++] = static_cast<char>(0x80U | ((code_point >> shift) & 0x3FU));
  };
  if (code_point < 0x80) {
    out.bytes[out.size++] = static_cast<char>(code_point);
  } else if (code_point < 0x800) {
    out.bytes[out.size++] = static_cast<char>(0xC0U | (code_point >> 6U));
    tail(0);
  } else if (code_point < 0x10000) {
    out.bytes[out.size++] = static_cast<char>(0xE0U | (code_point >> 12U));
    tail(6);
    tail(0);
  } else {
    out.bytes[out.size++] = static_cast<char>(0xF0U | (code_point >> 18U));
    tail(12);
    tail(6);
    tail(0);
  }
}

std::uint32_t digit_value(char digit) {
  if (has_class(digit, is_digit)) return static_cast<std::uint32_t>(digit - '0');
  return static_cast<std::uint32_t>(to_lower(digit) - 'a' + 10);
}

// "&#…": decimal or, after an x, hexadecimal.
CharacterReference read_numeric(std::string_view source) {
  std::size_t at = 2;
  const bool is_hex = source.size() > at && to_lower(source[at]) == 'x';
  if (is_hex) ++at;
  const int digits = is_hex ? is_digit | is_hex_letter : is_digit;
  const std::size_t first = at;
  std::uint32_t number = 0;
  for (; at < source.size() && has_class(source[at], digits); ++at)
    number = std::min(number * (is_hex ? 16 : 10) + digit_value(source[at]), kTooLarge);
  CharacterReference found;
  if (at == first) return found;
  if (at < source.size() && source[at] == ';') ++at;
  found.consumed = at;
  put_utf8(found, meant_code_point(number));
  return found;
}

const NamedReference* find_name(std::string_view name) {
  std::size_t slot = reference_hash(name) % kReferenceSlots;
  for (; kReferenceIndex[slot] != 0; slot = (slot + 1) % kReferenceSlots) {
    const NamedReference& row = kReferenceRows[kReferenceIndex[slot] - 1U];
    if (std::string_view(kReferenceText + row.begin, row.name_length) == name) return &row;
  }
  return nullptr;
}

CharacterReference named(const NamedReference& row, std::size_t consumed) {
  CharacterReference found;
  found.consumed = consumed;
  found.size = row.text_length;
  std::memcpy(found.bytes.data(), kReferenceText + row.begin + row.name_length, row.text_length);
  return found;
}

// The longest name that needs no semicolon and starts the word.
CharacterReference read_without_semicolon(std::string_view source, std::size_t word_length,
                                          bool in_attribute) {
  std::size_t length = std::min(word_length, kLongestNameWithoutSemicolon);
  for (; length >= kShortestName; --length) {
    const NamedReference* row = find_name(source.substr(1, length));
    if (row == nullptr || !row->may_lack_semicolon) continue;
    const char next = source.size() > length + 1 ? source[length + 1] : '\0';
    if (in_attribute && (next == '=' || has_class(next, is_letter | is_digit))) return {};
    return named(*row, length + 1);
  }
  return {};
}

}  // namespace

CharacterReference read_character_reference(std::string_view source, bool in_attribute) {
  if (source.size() < 2) return {};
  if (source[1] == '#') return read_numeric(source);
  std::size_t length = 0;
  while (length <= kLongestName && length + 1 < source.size() &&
         has_class(source[length + 1], is_letter | is_digit))
    ++length;
  if (length < kShortestName) return {};
  const bool has_semicolon = length + 1 < source.size() && source[length + 1] == ';';
  if (has_semicolon)
    if (const NamedReference* row = find_name(source.substr(1, length)))
      return named(*row, length + 2);
  return read_without_semicolon(source, length, in_attribute);
}

}  // namespace heddle::html::parser
