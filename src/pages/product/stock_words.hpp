// The phrases that say whether a product can be bought, in many languages.
#pragma once

#include "pages/outline/phrases.hpp"

namespace heddle::pages {

// Meanings of stock_phrases() besides those of StockState: says "out" only when it is most of the
// text.
inline constexpr int kVagueOut = 100;
// Meanings of buy_phrases(): a button that buys; one that promises a message when the product is
// back; one that buys only when the label says nothing else ("Buy", but not "Buy again").
inline constexpr int kBuys = 1;
inline constexpr int kNotifies = 2;
inline constexpr int kBuysAlone = 101;

const PhraseSet& stock_phrases();
const PhraseSet& buy_phrases();

}  // namespace heddle::pages
