// Turns one JSON-LD script into entities. Pure.
#pragma once

#include <string_view>

#include "pages/structured/lenient_json.hpp"
#include "pages/structured/structured_data.hpp"

namespace heddle::pages {

class JsonLdCollector {
 public:
  JsonLdCollector(StructuredData& data, html::NodeId script) : data_(data), script_(script) {}

  void collect(std::string_view json);

 private:
  // Arrays and @graph are walked through; their objects become entities.
  void add_value(const JsonTree& tree, JsonTree::Index node, std::uint32_t parent,
                 std::string_view property);
  void add_object(const JsonTree& tree, JsonTree::Index node, std::uint32_t parent,
                  std::string_view property);
  void add_types(const JsonTree& tree, JsonTree::Index node, StructuredEntity& entity);

  StructuredData& data_;
  html::NodeId script_;
};

}  // namespace heddle::pages
