#include "pages/product/stock.hpp"

#include <string>

#include "base/text.hpp"
#include "pages/product/stock_words.hpp"
#include "pages/structured/structured_data.hpp"

namespace heddle::pages {

namespace {

constexpr std::size_t kMaxPhraseText = 160;

int label_meaning(std::string_view text) {
  if (text.size() > 80) return 0;
  const std::string folded = fold_case(trim(text));
  if (buy_phrases().whole(folded) == kBuysAlone) return kBuys;
  std::size_t from = 0;
  while (const auto match = buy_phrases().find(folded, from)) {
    if (match->meaning != kBuysAlone) return match->meaning;
    from = match->end;
  }
  return 0;
}

}  // namespace

std::string_view to_text(StockState stock) {
  switch (stock) {
    case StockState::in:
      return "in";
    case StockState::out:
      return "out";
    case StockState::preorder:
      return "preorder";
    default:
      return "unknown";
  }
}

StockState stock_of_value(std::string_view availability) {
  std::string name;
  for (const char c : to_lower_ascii(schema_name(availability)))
    if (c != ' ' && c != '_' && c != '-') name += c;
  constexpr std::pair<std::string_view, StockState> kNames[] = {
      {"instock", StockState::in},
      {"limitedavailability", StockState::in},
      {"onlineonly", StockState::in},
      {"instoreonly", StockState::in},
      {"available", StockState::in},
      {"availablefororder", StockState::in},
      {"true", StockState::in},
      {"outofstock", StockState::out},
      {"soldout", StockState::out},
      {"discontinued", StockState::out},
      {"oos", StockState::out},
      {"unavailable", StockState::out},
      {"notavailable", StockState::out},
      {"false", StockState::out},
      {"preorder", StockState::preorder},
      {"presale", StockState::preorder},
      {"backorder", StockState::preorder},
      {"madetoorder", StockState::in},
      {"reserved", StockState::out},
      {"pending", StockState::preorder},
      {"1", StockState::in}};
  for (const auto& [text, stock] : kNames)
    if (name == text) return stock;
  return stock_said(availability);
}

StockState stock_said(std::string_view text) {
  text = trim(text);
  if (text.size() > kMaxPhraseText) return StockState::unknown;
  const std::string folded = fold_case(text);
  StockState said = StockState::unknown;
  std::size_t from = 0;
  while (const auto match = stock_phrases().find(folded, from)) {
    from = match->end;
    if (match->meaning == kVagueOut) {
      if ((match->end - match->begin) * 10 >= folded.size() * 6) return StockState::out;
      continue;
    }
    const auto meaning = static_cast<StockState>(match->meaning);
    if (meaning == StockState::out) return meaning;
    if (said == StockState::unknown) said = meaning;
  }
  return said;
}

bool is_buy_label(std::string_view text) {
  return label_meaning(text) == kBuys;
}

bool is_notify_label(std::string_view text) {
  return label_meaning(text) == kNotifies;
}

}  // namespace heddle::pages
