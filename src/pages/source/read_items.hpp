// Reads the items of a page by the rules of its job. Pure.
#pragma once

#include <cstddef>
#include <vector>

#include "base/result.hpp"
#include "model/run/item.hpp"
#include "model/web/url.hpp"
#include "pages/source/source_document.hpp"
#include "pages/source/source_rules.hpp"

namespace heddle::pages {

struct ItemsOfPage {
  std::vector<Item> items;  // in page order; those without any text are left out
  std::size_t containers = 0;
};

// Fails (bad_input) only when page and selectors together exceed the budget of a page.
Result<ItemsOfPage> read_items(const SourceDocument& document, const SourceRules& rules,
                               const Url& page_url);

}  // namespace heddle::pages
