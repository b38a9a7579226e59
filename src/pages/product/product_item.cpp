#include "pages/product/product_item.hpp"

namespace heddle::pages {

namespace {

std::string price_text(const ExtractedProduct& product) {
  if (product.amount.empty() || product.currency.empty()) return product.amount;
  return product.amount + " " + product.currency;
}

}  // namespace

std::vector<FieldRule> product_fields() {
  std::vector<FieldRule> fields;
  for (const char* name : {"url", "name", "price", "currency", "stock", "sku", "image"})
    fields.emplace_back().name = name;
  fields[2].type = FieldType::money;
  fields[6].attribute = "src";
  return fields;
}

std::optional<Item> item_of(const ExtractedProduct& product, const std::string& page_url) {
  const bool says_nothing = product.amount.empty() && product.stock == StockState::unknown;
  if (product.name.empty() || says_nothing) return std::nullopt;
  Item item;
  item.fields = {{"url", page_url},
                 {"name", product.name},
                 {"price", price_text(product)},
                 {"currency", product.currency},
                 {"stock", std::string(to_text(product.stock))},
                 {"sku", product.sku},
                 {"image", product.image}};
  return item;
}

}  // namespace heddle::pages
