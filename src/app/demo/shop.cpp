#include "app/demo/shop.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace heddle::app::demo {

namespace {

constexpr std::size_t kOnSaleAtFirst = 8;

std::vector<Product> all_products() {
  return {{"copper-kettle", "Copper kettle", 4950},
          {"wool-blanket", "Wool blanket", 8900},
          {"oak-stool", "Oak stool", 12900},
          {"tea-set", "Tea set for two", 3450},
          {"linen-apron", "Linen apron", 2990},
          {"brass-lamp", "Brass lamp", 15900},
          {"cast-iron-pan", "Cast-iron pan", 6400},
          {"beeswax-candles", "Beeswax candles", 1290},
          {"walnut-board", "Walnut board", 3900},
          {"felt-slippers", "Felt slippers", 4490},
          {"stoneware-jug", "Stoneware jug", 3200},
          {"paper-lantern", "Paper lantern", 1850},
          {"weaving-loom", "Table weaving loom", 21900},
          {"heddle-bar", "Heddle bar, beech", 1690}};
}

}  // namespace

Shop::Shop(std::uint32_t seed) : random_(seed) {
  std::vector<Product> all = all_products();
  products_.assign(all.begin(), all.begin() + kOnSaleAtFirst);
  warehouse_.assign(all.begin() + kOnSaleAtFirst, all.end());
}

std::size_t Shop::pick(std::size_t count) {
  return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_);
}

void Shop::tick() {
  Product& repriced = products_[pick(products_.size())];
  const double factor = 0.75 + 0.05 * static_cast<double>(pick(9));
  repriced.cents = std::max(490, static_cast<int>(repriced.cents * factor) / 10 * 10);
  if (pick(2) == 0) {
    Product& product = products_[pick(products_.size())];
    product.in_stock = !product.in_stock;
  }
  if (pick(3) == 0 && !warehouse_.empty()) {
    products_.push_back(warehouse_.front());
    warehouse_.erase(warehouse_.begin());
  } else if (pick(5) == 0 && products_.size() > kOnSaleAtFirst) {
    warehouse_.push_back(products_.front());
    products_.erase(products_.begin());
  }
}

std::string Shop::page() const {
  std::string rows;
  for (const Product& product : products_)
    rows += fmt::format(
        "    <li class=\"product\">\n"
        "      <a class=\"name\" href=\"/goods/{}\">{}</a>\n"
        "      <span class=\"price\">€ {}.{:02}</span>\n"
        "      <span class=\"stock\">{}</span>\n"
        "    </li>\n",
        product.slug, product.name, product.cents / 100, product.cents % 100,
        product.in_stock ? "in stock" : "sold out");
  return "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">"
         "<title>The Little Loom Shop</title></head>\n<body>\n  <h1>The Little Loom Shop</h1>\n"
         "  <ul>\n" +
         rows + "  </ul>\n</body>\n</html>\n";
}

}  // namespace heddle::app::demo
