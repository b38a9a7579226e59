#include "pages/outline/value_look.hpp"

#include <algorithm>
#include <array>

namespace heddle::pages {

namespace {

constexpr std::size_t kLongestValue = 120;

bool is_digit_byte(char c) {
  return c >= '0' && c <= '9';
}

// Digits of other scripts: Arabic, Persian, Devanagari, wide Latin ones.
bool has_other_digits(std::string_view text) {
  for (const auto* lead : {"\xD9", "\xDB", "\xE0\xA5", "\xEF\xBC"})
    if (text.find(lead) != std::string_view::npos) return true;
  return false;
}

}  // namespace

bool looks_like_price(std::string_view text) {
  if (text.size() > kLongestValue) return false;
  if (std::none_of(text.begin(), text.end(), is_digit_byte) && !has_other_digits(text))
    return false;
  constexpr auto kSigns = std::to_array<std::string_view>(
      {"$",   "\xC2\xA3", "\xC2\xA5", "\xE2\x82", "EUR",      "USD", "GBP", "CHF",  "Kč",  "zł",
       "руб", "р.",       " kr",      "kr ",      "Ft",       "lei", "грн", "лв",   "Rs",  "円",
       "元",  "원",       "TL",       "PLN",      "CZK",      "SEK", "NOK", "DKK",  "HUF", "RON",
       "BGN", "UAH",      "RUB",      "INR",      "JPY",      "CNY", "AUD", "CAD",  "NZD", "BRL",
       "MXN", "TRY",      "฿",        "đ",        "\xC2\xA2", "د",   "ر.",  "ریال", "kn",  "€",
       "KRW", "Euro",     "euro",     "Rp",       "dollar"});
  return std::any_of(kSigns.begin(), kSigns.end(), [&](std::string_view sign) {
    return text.find(sign) != std::string_view::npos;
  });
}

bool looks_like_date(std::string_view text) {
  if (text.size() > kLongestValue) return false;
  if (has_other_digits(text)) return true;
  std::size_t run = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && is_digit_byte(text[i])) {
      ++run;
      continue;
    }
    const bool is_year =
        run == 4 && (text.substr(i - 4, 2) == "19" || text.substr(i - 4, 2) == "20");
    const bool is_joined = run > 0 && run <= 2 && i + 1 < text.size() &&
                           is_digit_byte(text[i + 1]) &&
                           (text[i] == '.' || text[i] == '/' || text[i] == '-');
    if (is_year || is_joined) return true;
    run = 0;
  }
  return false;
}

}  // namespace heddle::pages
