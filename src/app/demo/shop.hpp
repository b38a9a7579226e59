// Shop is the demo's shop: its prices, stock and products change from round to round. Pure: the
// seed decides, so a demo is reproducible.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace heddle::app::demo {

struct Product {
  std::string slug;
  std::string name;
  int cents = 0;
  bool in_stock = true;
};

class Shop {
 public:
  explicit Shop(std::uint32_t seed);

  // Advances one round: some prices change, a product sells out or comes back, is added or removed.
  void tick();

  [[nodiscard]] std::string page() const;
  [[nodiscard]] const std::vector<Product>& products() const { return products_; }

 private:
  std::size_t pick(std::size_t count);

  std::mt19937 random_;
  std::vector<Product> products_;
  std::vector<Product> warehouse_;  // not on sale yet
};

}  // namespace heddle::app::demo
