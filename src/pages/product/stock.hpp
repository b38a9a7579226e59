// Reads whether a product can be bought: from schema.org values and from phrases in many languages.
// Pure.
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle::pages {

enum class StockState : std::uint8_t { unknown, in, out, preorder };
std::string_view to_text(StockState stock);

// "https://schema.org/InStock", "instock", "in stock", "oos", "SoldOut", …
StockState stock_of_value(std::string_view availability);

// What a short text says about stock: "Nur noch 3 auf Lager", "épuisé". `unknown` for any other
// text.
StockState stock_said(std::string_view text);

// "Add to cart", "In den Warenkorb", "Acheter", "購入する": labels of buttons that buy.
bool is_buy_label(std::string_view text);

// "Notify me when available", "M'avertir": labels of buttons that stand where a product cannot be
// bought.
bool is_notify_label(std::string_view text);

}  // namespace heddle::pages
