// Splits text into numbers, words and signs for the date reader.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "pages/values/normalized_text.hpp"

namespace heddle::pages {

struct DateToken {
  enum class Kind { number, word, sign };
  Kind kind = Kind::sign;
  std::u32string_view text;  // folded; points into the NormalizedText
  int value = 0;             // of a number of at most nine digits, else -1
  bool follows_space = false;

  [[nodiscard]] bool is_number() const { return kind == Kind::number; }
  [[nodiscard]] bool is_sign(char32_t c) const { return kind == Kind::sign && text[0] == c; }
  [[nodiscard]] bool is_word(std::u32string_view word) const {
    return kind == Kind::word && text == word;
  }
};

// Spaces are no tokens. A sign is one character.
std::vector<DateToken> date_tokens(const NormalizedText& normalized);

}  // namespace heddle::pages
