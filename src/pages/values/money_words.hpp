// Recognizes the words around prices in many languages. Pure.
#pragma once

#include <cstddef>
#include <string_view>

#include "pages/values/normalized_text.hpp"

namespace heddle::pages {

// "free", "kostenlos", "gratuit", …; not "sugar-free", "freezer".
bool says_free(const NormalizedText& normalized);

// Whether the text right before `at` announces a former price: "was", "statt", "UVP:".
bool follows_old_price_word(const NormalizedText& normalized, std::size_t at);

// Whether the text right before `at` announces a range or its lower end: "from", "ab", "zwischen".
bool follows_range_word(const NormalizedText& normalized, std::size_t at);

// Whether the text at `at` makes the number before it a quantity: "500 g", "3 x", "6 pcs".
bool precedes_unit_word(const NormalizedText& normalized, std::size_t at);

// Whether the folded text between two numbers makes them a range: a dash, "to", "bis"; "and" only
// when a word like "between" precedes the first number, at `first`.
bool joins_range(const NormalizedText& normalized, std::u32string_view gap, std::size_t first);

}  // namespace heddle::pages
