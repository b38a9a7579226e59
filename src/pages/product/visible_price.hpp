// Finds the price that a page shows for its product: by currency, names of classes, and the
// distance to the heading and to the button that buys. Pure.
#pragma once

#include <string>
#include <vector>

#include "pages/outline/outline.hpp"

namespace heddle::pages {

struct VisiblePrice {
  std::string amount;
  std::string currency;  // empty: none near the number
  html::NodeId node = html::kNoNode;
  double score = 0;
  bool is_old = false;
};

// Buttons and links that buy, outside of navigation and related products.
std::vector<html::NodeId> find_buy_buttons(const PageOutline& outline);

// Ranked, best first; old prices come last. At most 50.
std::vector<VisiblePrice> find_visible_prices(const PageOutline& outline,
                                              const std::vector<html::NodeId>& buy_buttons);

}  // namespace heddle::pages
