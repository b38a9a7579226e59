// Finds the product that a page offers, without any selector: structured data first, then the
// markup around the heading. Pure, deterministic, limited by the size of the document.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/web/url.hpp"
#include "pages/outline/outline.hpp"
#include "pages/product/stock.hpp"
#include "pages/structured/structured_data.hpp"

namespace heddle::pages {

struct ProductVariant {
  std::string name;
  std::string sku;
  std::string url;
  std::string amount;    // empty: no price
  std::string currency;  // ISO 4217
  StockState stock = StockState::unknown;
};

struct ExtractedProduct {
  std::string name;
  std::string amount;       // "1234.56"; empty: the page has no price
  std::string high_amount;  // the upper end of a range, else empty
  std::string old_amount;   // crossed out, else empty
  std::string currency;     // ISO 4217, empty: not on the page
  std::string sku;
  std::string image;  // absolute
  StockState stock = StockState::unknown;
  std::string
      price_source;  // "json-ld", "microdata", "rdfa", "meta", "page", "script"; empty: no price
  std::string stock_source;
  std::vector<ProductVariant> variants;
};

ExtractedProduct extract_product(const PageOutline& outline, const StructuredData& data,
                                 const Url& url);

}  // namespace heddle::pages
