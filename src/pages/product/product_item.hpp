// The product of a page as an item that is followed by the page's URL. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/job/job.hpp"
#include "model/run/item.hpp"
#include "pages/product/product.hpp"

namespace heddle::pages {

// url, name, price (money), currency, stock ("in", "out", "preorder", "unknown"), sku, image.
std::vector<FieldRule> product_fields();

// nullopt: the page offers no product. `page_url` identifies the item.
std::optional<Item> item_of(const ExtractedProduct& product, const std::string& page_url);

}  // namespace heddle::pages
