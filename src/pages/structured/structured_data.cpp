#include "pages/structured/structured_data.hpp"

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "pages/structured/attribute_collector.hpp"
#include "pages/structured/json_ld_collector.hpp"

namespace heddle::pages {

using html::known;
using html::NodeId;

bool StructuredEntity::has_type(std::string_view name) const {
  return std::find(types.begin(), types.end(), name) != types.end();
}

std::string_view StructuredEntity::text(std::string_view name) const {
  for (const Property& property : properties)
    if (property.name == name && !property.text.empty()) return property.text;
  return {};
}

std::string_view schema_name(std::string_view name) {
  name = trim(name);
  if (const std::size_t cut = name.find_last_of("/#:"); cut != std::string_view::npos)
    name.remove_prefix(cut + 1);
  return name;
}

std::uint32_t StructuredData::add_entity(std::uint32_t parent, std::string_view property) {
  if (entities_.size() >= kMaxEntities) return StructuredEntity::kNone;
  const auto index = static_cast<std::uint32_t>(entities_.size());
  StructuredEntity& entity = entities_.emplace_back();
  entity.parent = parent;
  entity.parent_property = property;
  if (parent != StructuredEntity::kNone && properties_ < kMaxProperties) {
    ++properties_;
    entities_[parent].properties.push_back({std::string(property), {}, index});
  }
  return index;
}

void StructuredData::add_text(std::uint32_t entity, std::string_view name, std::string_view text) {
  if (properties_ >= kMaxProperties) return;
  ++properties_;
  entities_[entity].properties.push_back({std::string(name), std::string(trim(text))});
}

// {"offers": {"@id": "#offer"}} means the entity that has this id.
void StructuredData::resolve_references() {
  std::map<std::string_view, std::uint32_t> by_id;
  for (std::uint32_t i = 0; i < entities_.size(); ++i)
    if (!entities_[i].id.empty() && !entities_[i].properties.empty())
      by_id.try_emplace(entities_[i].id, i);
  for (StructuredEntity& entity : entities_) {
    for (auto& property : entity.properties) {
      if (property.entity == StructuredEntity::kNone) continue;
      const StructuredEntity& value = entities_[property.entity];
      if (value.id.empty() || !value.properties.empty()) continue;
      if (const auto found = by_id.find(value.id); found != by_id.end())
        property.entity = found->second;
    }
  }
}

StructuredData StructuredData::collect(const html::Document& document) {
  StructuredData data;
  AttributeCollector attributes(document, data);
  const auto end = static_cast<NodeId>(document.size());
  for (NodeId node = 0; node < end; ++node) {
    if (!document.is_element(node)) continue;
    if (document.tag(node) == known("script")) {
      const auto type = document.attribute(node, known("type"));
      if (type && type->find("ld+json") != std::string_view::npos)
        JsonLdCollector(data, node).collect(document.text(node));
    } else {
      attributes.visit(node);
    }
  }
  data.resolve_references();
  return data;
}

std::string_view StructuredData::meta(std::string_view name) const {
  for (const MetaTag& tag : meta_tags_)
    if (equals_ignoring_case(tag.name, name) && !trim(tag.content).empty())
      return trim(tag.content);
  return {};
}

std::vector<const StructuredEntity*> StructuredData::linked(const StructuredEntity& from,
                                                            std::string_view property) const {
  std::vector<const StructuredEntity*> found;
  for (const auto& each : from.properties)
    if (each.entity != StructuredEntity::kNone && each.name == property)
      found.push_back(&entities_[each.entity]);
  return found;
}

std::string_view StructuredData::text_or_name(const StructuredEntity& from,
                                              std::string_view property) const {
  if (const auto text = from.text(property); !text.empty()) return text;
  for (const StructuredEntity* value : linked(from, property)) {
    for (const auto* name : {"name", "url", "contentUrl"})
      if (const auto text = value->text(name); !text.empty()) return text;
  }
  return {};
}

}  // namespace heddle::pages
