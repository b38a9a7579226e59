#include "pages/structured/json_ld_collector.hpp"

#include <string>

namespace heddle::pages {

namespace {

// {"@value": "12"} and {"@language": "en", "@value": "Lamp"} are plain texts.
JsonTree::Index plain_value(const JsonTree& tree, JsonTree::Index node) {
  return tree.find(node, "@value");
}

// Some generators escape the texts of their JSON for HTML.
std::string without_entities(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  constexpr std::pair<std::string_view, std::string_view> kEntities[] = {
      {"&amp;", "&"}, {"&quot;", "\""}, {"&#39;", "'"}, {"&#039;", "'"},
      {"&lt;", "<"},  {"&gt;", ">"},    {"&nbsp;", " "}};
  while (!text.empty()) {
    const std::size_t at = text.find('&');
    out += text.substr(0, at);
    if (at == std::string_view::npos) break;
    text.remove_prefix(at);
    std::string_view replacement = "&";
    std::size_t length = 1;
    for (const auto& [entity, meaning] : kEntities) {
      if (!text.starts_with(entity)) continue;
      replacement = meaning;
      length = entity.size();
    }
    out += replacement;
    text.remove_prefix(length);
  }
  return out;
}

}  // namespace

void JsonLdCollector::collect(std::string_view json) {
  const JsonTree tree = JsonTree::read(json);
  if (!tree.empty()) add_value(tree, JsonTree::root(), StructuredEntity::kNone, {});
}

void JsonLdCollector::add_value(const JsonTree& tree, JsonTree::Index node, std::uint32_t parent,
                                std::string_view property) {
  switch (tree.kind(node)) {
    case JsonTree::Kind::array:
      for (auto child = tree.first_child(node); child != JsonTree::kNone;
           child = tree.next_sibling(child, node))
        add_value(tree, child, parent, property);
      return;
    case JsonTree::Kind::object:
      if (const auto plain = plain_value(tree, node); plain != JsonTree::kNone)
        return add_value(tree, plain, parent, property);
      return add_object(tree, node, parent, property);
    case JsonTree::Kind::null:
      return;
    default:
      if (parent != StructuredEntity::kNone)
        data_.add_text(parent, property, without_entities(tree.text(node)));
  }
}

void JsonLdCollector::add_types(const JsonTree& tree, JsonTree::Index node,
                                StructuredEntity& entity) {
  const auto add = [&](JsonTree::Index type) {
    if (tree.kind(type) == JsonTree::Kind::string)
      entity.types.emplace_back(schema_name(tree.text(type)));
  };
  if (!tree.is_array(node)) return add(node);
  for (auto child = tree.first_child(node); child != JsonTree::kNone;
       child = tree.next_sibling(child, node))
    add(child);
}

void JsonLdCollector::add_object(const JsonTree& tree, JsonTree::Index node, std::uint32_t parent,
                                 std::string_view property) {
  if (const auto graph = tree.find(node, "@graph"); graph != JsonTree::kNone)
    add_value(tree, graph, StructuredEntity::kNone, {});
  const std::uint32_t index = data_.add_entity(parent, property);
  if (index == StructuredEntity::kNone) return;
  data_.entities_[index].node = script_;
  for (auto child = tree.first_child(node); child != JsonTree::kNone;
       child = tree.next_sibling(child, node)) {
    const std::string_view key = tree.key(child);
    if (key == "@type" || key == "type")
      add_types(tree, child, data_.entities_[index]);
    else if (key == "@id")
      data_.entities_[index].id = tree.text(child);
    else if (!key.starts_with('@'))
      add_value(tree, child, index, schema_name(key));
  }
}

}  // namespace heddle::pages
