// Reads the product of a page's structured data: its offers, prices and variants. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/web/url.hpp"
#include "pages/product/product.hpp"
#include "pages/structured/structured_data.hpp"

namespace heddle::pages {

// The entity of the page's own product: not one of a list, of related products or of reviews.
// nullptr when there is none. `heading` is the text of the page's heading.
const StructuredEntity* find_main_product(const StructuredData& data, const Url& url,
                                          std::string_view heading);

// Fills what the entity says; other fields stay.
void read_structured_product(const StructuredData& data, const StructuredEntity& product,
                             const Url& url, ExtractedProduct& out);

// An amount as machines write it: "1,234.56" and "1234,56" are read, too. Empty when it is none.
std::string machine_amount(std::string_view text);

}  // namespace heddle::pages
