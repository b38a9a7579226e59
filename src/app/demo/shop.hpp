// The demo's shop: a handful of goods whose prices, stock and range change from round to round.
// Pure: chance comes from the seed, so a demo can be told again.
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

  // One round later: some prices move, something sells out or comes back, now and then a product
  // arrives or leaves.
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
