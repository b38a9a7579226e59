// Collects microdata (itemscope, itemprop), RDFa (typeof, property) and meta tags while a document
// is walked in order. Pure.
#pragma once

#include <string>
#include <vector>

#include "pages/structured/structured_data.hpp"

namespace heddle::pages {

class AttributeCollector {
 public:
  AttributeCollector(const html::Document& document, StructuredData& data);

  // Call for every element, in document order.
  void visit(html::NodeId node);

 private:
  struct OpenEntity {
    html::NodeId end = 0;
    std::uint32_t entity = StructuredEntity::kNone;
  };

  void visit_meta(html::NodeId node);
  void visit_names(html::NodeId node, std::string_view names, std::string_view type, bool opens,
                   StructuredEntity::Syntax syntax);
  [[nodiscard]] std::string value_of(html::NodeId node) const;

  const html::Document& document_;
  StructuredData& data_;
  html::NameId typeof_;
  html::NameId itemid_;
  std::vector<OpenEntity> open_;
};

}  // namespace heddle::pages
