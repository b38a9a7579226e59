// Chooses which slots of a block are its title, link, price, image, date, rating and description.
// Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/web/url.hpp"
#include "pages/infer/block_slots.hpp"

namespace heddle::pages {

struct ChosenField {
  std::string name;
  const BlockSlot* slot = nullptr;
  std::string attribute;  // empty: the text
  bool is_money = false;
};

// Remembers which elements of a page hold a price or a date: groups of blocks share elements.
class ValueMemory {
 public:
  explicit ValueMemory(const html::Document& document) : document_(document) {}

  bool is_price(html::NodeId node);   // with a currency
  bool is_amount(html::NodeId node);  // with or without one
  bool is_date(html::NodeId node);

 private:
  enum Bit : std::uint8_t { kPriceRead = 1, kPrice = 2, kAmount = 4, kDateRead = 8, kDate = 16 };
  void read_price(html::NodeId node, std::uint8_t& bits) const;

  const html::Document& document_;
  std::unordered_map<html::NodeId, std::uint8_t> bits_;
};

std::vector<ChosenField> choose_fields(const BlockSlots& slots, ValueMemory& memory);

// The value that a field with this attribute has at a node, as extraction reads it.
std::string field_value(const html::Document& document, html::NodeId node,
                        std::string_view attribute, bool is_money, const Url& base);

}  // namespace heddle::pages
