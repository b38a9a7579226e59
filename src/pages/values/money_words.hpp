// The words around prices, in many languages.
#pragma once

#include <cstddef>
#include <string_view>

#include "pages/values/ready_text.hpp"

namespace heddle::pages {

// "free", "kostenlos", "gratuit", …; not "sugar-free", "freezer".
bool says_free(const ReadyText& ready);

// What stands right before `at` says that a price of the past follows: "was", "statt", "UVP:".
bool follows_old_price_word(const ReadyText& ready, std::size_t at);

// What stands right before `at` announces a range or its lower end: "from", "ab", "zwischen".
bool follows_range_word(const ReadyText& ready, std::size_t at);

// What stands at `at` makes the number before a quantity: "500 g", "3 x", "6 pcs".
bool precedes_unit_word(const ReadyText& ready, std::size_t at);

// The folded text between two numbers makes them a range: a dash, "to", "bis"; "and" only when a
// word like "between" stands before the first number, at `first`.
bool joins_range(const ReadyText& ready, std::u32string_view gap, std::size_t first);

}  // namespace heddle::pages
