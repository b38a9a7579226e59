// Judges the names of classes, ids and attributes: what they mean, and whether they will last.
// Pure.
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle::pages {

// What a name says about the field of an element.
struct FieldNameSigns {
  bool title = false;
  bool price = false;
  bool old_price = false;
  bool date = false;
  bool rating = false;
  bool description = false;
  bool side = false;   // "sku", "brand", "badge": beside the title
  bool block = false;  // "item", "card", "result"
};

void add_field_signs(std::string_view names, FieldNameSigns& signs);

enum class NameKind : std::uint8_t {
  meaningful,  // "price", "product-card"
  plain,       // "box3"
  styling,     // "mt-4", "col-md-6"
  state,       // "first", "active", "item-17"
  generated,   // "css-1q2w3e", "_3xK9d"
};

NameKind name_kind(std::string_view name);

// "ProductCard_title__3xK9d" -> "ProductCard_title__": what such a name keeps from build to build.
// Empty for other names.
std::string_view lasting_prefix(std::string_view name);

}  // namespace heddle::pages
