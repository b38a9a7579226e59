// Small pure text helpers; everything is UTF-8. Other bytes are kept as they are.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

std::string_view trim(std::string_view text);  // ASCII white space at both ends
std::vector<std::string_view> split(std::string_view text, char separator);
std::string join(std::span<const std::string> parts, std::string_view separator);
std::string to_lower_ascii(std::string_view text);
bool equals_ignoring_case(std::string_view a, std::string_view b);  // ASCII

// Unicode: lower-cases letters of any script, one to one, for comparing (both Greek sigmas are
// one).
std::string fold_case(std::string_view text);
char32_t fold_case(char32_t code_point);
bool is_letter(char32_t code_point);  // of any script
// Accents, vowel signs and the like, which belong to the letter before them.
bool is_combining_mark(char32_t code_point);

// "Ünïted  Shop #2" -> "ünïted-shop-2": letters and digits of any script, other runs become "-".
std::string to_slug(std::string_view name);

// The length of the UTF-8 sequence that starts here, 0 when the bytes are not UTF-8.
std::size_t utf8_sequence_length(std::string_view text);
bool is_valid_utf8(std::string_view text);
// Every byte that is not UTF-8 becomes U+FFFD; already valid text is returned as it is.
std::string to_valid_utf8(std::string text);
// At most max_bytes, never through the middle of a character.
std::string_view utf8_prefix(std::string_view text, std::size_t max_bytes);
void append_utf8(std::string& out, char32_t code_point);
// One element per character; a byte that is not UTF-8 becomes U+FFFD.
std::u32string to_code_points(std::string_view text);

// The candidate a person most likely meant, if any is near enough to suggest.
std::optional<std::string_view> nearest_name(std::string_view typed,
                                             std::span<const std::string_view> candidates);

}  // namespace heddle
