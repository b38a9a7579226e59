// Reads a price from text in any common notation. Pure and exact: no binary floating point.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace heddle::pages {

struct Money {
  std::optional<std::string> amount;    // "1234.56", "-5", "0"; nullopt: the text has no price
  std::optional<std::string> currency;  // ISO 4217; nullopt: not in the text
  bool operator==(const Money&) const = default;
};

Money read_money(std::string_view text);

}  // namespace heddle::pages
