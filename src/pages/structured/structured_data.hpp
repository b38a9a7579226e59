// Collects what a page says about itself for machines: JSON-LD, microdata, RDFa (schema.org names)
// and meta tags. Pure; limited in entities and properties.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "html/document.hpp"

namespace heddle::pages {

struct StructuredEntity {
  enum class Syntax : std::uint8_t { json_ld, microdata, rdfa };
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  struct Property {
    std::string name;  // without prefix: "price"
    std::string text;  // empty when the value is an entity
    std::uint32_t entity = kNone;
  };

  std::vector<std::string> types;  // without prefix: "Product"
  std::string id;                  // @id, itemid
  std::vector<Property> properties;
  std::uint32_t parent = kNone;       // the entity that has this one as a value
  std::string parent_property{};      // the name of that property
  html::NodeId node = html::kNoNode;  // the element that holds it
  Syntax syntax = Syntax::json_ld;

  [[nodiscard]] bool has_type(std::string_view name) const;
  // The first text with this name, empty when there is none.
  [[nodiscard]] std::string_view text(std::string_view name) const;
};

struct MetaTag {
  std::string_view name;  // of property, name or itemprop, as written
  std::string_view content;
};

class StructuredData {
 public:
  static constexpr std::size_t kMaxEntities = 20'000;
  static constexpr std::size_t kMaxProperties = 100'000;

  // The views of meta tags are valid as long as the document is.
  static StructuredData collect(const html::Document& document);

  [[nodiscard]] const std::vector<StructuredEntity>& entities() const { return entities_; }
  [[nodiscard]] const std::vector<MetaTag>& meta_tags() const { return meta_tags_; }
  // The content of the first meta tag with this name (ASCII case is ignored); empty when absent.
  [[nodiscard]] std::string_view meta(std::string_view name) const;
  // The values of a property that are entities.
  [[nodiscard]] std::vector<const StructuredEntity*> linked(const StructuredEntity& from,
                                                            std::string_view property) const;
  // The text of a property, or the name of the entity that is its value.
  [[nodiscard]] std::string_view text_or_name(const StructuredEntity& from,
                                              std::string_view property) const;

 private:
  friend class JsonLdCollector;
  friend class AttributeCollector;

  std::uint32_t add_entity(std::uint32_t parent, std::string_view property);
  void add_text(std::uint32_t entity, std::string_view name, std::string_view text);
  void resolve_references();

  std::vector<StructuredEntity> entities_;
  std::vector<MetaTag> meta_tags_;
  std::size_t properties_ = 0;
};

// "http://schema.org/Product", "schema:Product" -> "Product".
std::string_view schema_name(std::string_view name);

}  // namespace heddle::pages
