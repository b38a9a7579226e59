// NormalizedText prepares a text for reading values from it. Pure.
#pragma once

#include <string>
#include <string_view>

namespace heddle::pages {

inline constexpr char32_t kMinus = U'\u2212';
inline constexpr char32_t kDash = U'\u2013';  // stands for every dash that is longer than a hyphen

inline bool is_digit(char32_t c) {
  return c >= U'0' && c <= U'9';
}

// At most the first 2000 characters; digits of every script as 0-9, every kind of space as one ' ',
// wide Latin forms as ASCII, invisible characters removed, "12,-" as "12", "12⁹⁹" as "12.99".
// `folded` is the same in lower case, position by position.
struct NormalizedText {
  explicit NormalizedText(std::string_view utf8);

  std::u32string text;
  std::u32string folded;
};

}  // namespace heddle::pages
