// Recognizes currencies by symbol, ISO 4217 code or word. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "pages/values/normalized_text.hpp"

namespace heddle::pages {

struct CurrencyMatch {
  std::string_view code;  // ISO 4217, static
  std::size_t begin = 0;
  std::size_t end = 0;
  int minor_places = 0;       // 2 for "ct", "¢", "p": the number counts hundredths
  bool is_ambiguous = false;  // "$", "kr", "¥": a code elsewhere in the text wins
  bool is_weak = false;       // a few letters that often mean something else: "ft", "din", "p"
};

// The currency that begins at `at`.
std::optional<CurrencyMatch> currency_at(const NormalizedText& normalized, std::size_t at);
// The currency that ends right before `end`.
std::optional<CurrencyMatch> currency_before(const NormalizedText& normalized, std::size_t end);
// A code, symbol or long word anywhere in the text; unambiguous ones are preferred.
std::optional<CurrencyMatch> currency_anywhere(const NormalizedText& normalized);

// Whether three decimals are usual: Kuwait, Bahrain, Oman, Jordan, Tunisia, …
bool has_three_decimals(std::string_view code);

}  // namespace heddle::pages
