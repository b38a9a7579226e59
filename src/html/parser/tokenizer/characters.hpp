// Classifies bytes for the tokenizer with one table of bits.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace heddle::html::parser {

enum CharacterClass : std::uint8_t {
  is_space = 1,              // tab, line feed, form feed, space; prepare_input removes '\r'
  is_letter = 2,             // ASCII
  is_digit = 4,              // decimal
  is_hex_letter = 8,         // a-f, A-F
  ends_tag_name = 16,        // space / >
  ends_attribute_name = 32,  // space / > =
  changes_in_name = 64,      // A-Z, converted to lower case, and NUL, replaced by U+FFFD
  ends_plain_value = 128,    // space > & and NUL: an unquoted value ends or needs decoding
};

namespace detail {

constexpr void add_class(std::array<std::uint8_t, 256>& table, std::string_view bytes, int bits) {
  for (const char byte : bytes) {
    auto& entry = table[static_cast<unsigned char>(byte)];
    entry = static_cast<std::uint8_t>(entry | bits);
  }
}

constexpr std::array<std::uint8_t, 256> character_classes() {
  using namespace std::string_view_literals;
  std::array<std::uint8_t, 256> table{};
  add_class(table, "\t\n\f ", is_space | ends_tag_name | ends_attribute_name | ends_plain_value);
  add_class(table, "/", ends_tag_name | ends_attribute_name);
  add_class(table, ">", ends_tag_name | ends_attribute_name | ends_plain_value);
  add_class(table, "=", ends_attribute_name);
  add_class(table, "&", ends_plain_value);
  add_class(table, "\0"sv, changes_in_name | ends_plain_value);
  add_class(table, "abcdefghijklmnopqrstuvwxyz", is_letter);
  add_class(table, "ABCDEFGHIJKLMNOPQRSTUVWXYZ", is_letter | changes_in_name);
  add_class(table, "0123456789", is_digit);
  add_class(table, "abcdefABCDEF", is_hex_letter);
  return table;
}

}  // namespace detail

inline constexpr auto kCharacterClasses = detail::character_classes();

constexpr std::uint8_t class_of(char byte) {
  return kCharacterClasses[static_cast<unsigned char>(byte)];
}

constexpr bool has_class(char byte, int bits) {
  return (class_of(byte) & bits) != 0;
}

constexpr char to_lower(char byte) {
  return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte + ('a' - 'A')) : byte;
}

// The tree builder sees carriage returns too: "&#13;" produces one.
constexpr bool is_tree_space(char byte) {
  return has_class(byte, is_space) || byte == '\r';
}

inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";  // U+FFFD

}  // namespace heddle::html::parser
