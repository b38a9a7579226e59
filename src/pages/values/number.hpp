// Finds numbers in text and reads them exactly, with any digits, grouping and decimal mark. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pages/values/normalized_text.hpp"

namespace heddle::pages {

struct NumberSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// Numbers with their separators ("1.234,56", "1 234", ".99"), left to right, without signs.
std::vector<NumberSpan> find_numbers(std::u32string_view text);

// How to read a single mark before three digits without other evidence: "1.234", "1,234".
struct DecimalMarkRules {
  bool dot_before_three_is_decimal = false;
  bool comma_before_three_is_decimal = false;
};

// The number as "1234.56"; nullopt when its grouping makes no sense ("1.2.3", "12.34.567").
std::optional<std::string> read_decimal(std::u32string_view written, DecimalMarkRules rules = {});

// Moves the decimal point: ("1.25", 3) is "1250", ("99", -2) is "0.99".
std::string shift_decimal(std::string_view decimal, int places);

// Compares two non-negative decimals.
bool is_less(std::string_view a, std::string_view b);

// A word of magnitude at `at`, after an optional space: "k", "Mio.", "万"; a small "m" only in
// money.
struct Magnitude {
  int places = 0;  // 3 for thousand; 0: none
  std::size_t end = 0;
};
Magnitude magnitude_at(const NormalizedText& normalized, std::size_t at, bool is_money);

// The first number of a text with its sign and magnitude: "4,5 / 5" is "4.5", "1.2k" is "1200".
std::optional<std::string> read_number(std::string_view text);

}  // namespace heddle::pages
