// Recognizes the labels of pagers in many languages. Pure.
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle::pages {

enum class PagerWord : std::uint8_t {
  none,
  next,       // "next", "weiter"
  next_page,  // "next page", "older posts": says what the next thing is
  more,       // "load more"
  previous,
  arrow,         // "›", "»", ">"
  double_arrow,  // "»»", ">>": mostly the last page
  last,
};

// What the label of a link says; `none` for texts of more than a few words.
PagerWord pager_word(std::string_view label);

}  // namespace heddle::pages
