// Recognises currencies by symbol, ISO 4217 code or word.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "pages/values/ready_text.hpp"

namespace heddle::pages {

struct CurrencyMark {
  std::string_view code;  // ISO 4217, lives forever
  std::size_t begin = 0;
  std::size_t end = 0;
  int minor_places = 0;       // 2 for "ct", "¢", "p": the number counts hundredths
  bool is_ambiguous = false;  // "$", "kr", "¥": a code elsewhere in the text knows better
  bool is_weak = false;       // a few letters that often mean something else: "ft", "din", "p"
};

// The mark that begins at `at`.
std::optional<CurrencyMark> currency_at(const ReadyText& ready, std::size_t at);
// The mark that ends right before `end`.
std::optional<CurrencyMark> currency_before(const ReadyText& ready, std::size_t end);
// A code, symbol or long word anywhere in the text; one that is not ambiguous is preferred.
std::optional<CurrencyMark> currency_anywhere(const ReadyText& ready);

// Three decimals are usual: Kuwaiti, Bahraini, Omani, Jordanian, Tunisian, … money.
bool has_three_decimals(std::string_view code);

}  // namespace heddle::pages
