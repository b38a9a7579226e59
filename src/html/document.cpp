#include "html/document.hpp"

#include "base/hash.hpp"

namespace heddle::html {

Document::Document() {
  nodes_.push_back(
      Node{kNoNode, 1, kNoNode, kNoNode, 0, 0, 0, kNoName, NodeKind::document, Namespace::html});
  nodes_.push_back(
      Node{kNoNode, 2, kNoNode, kNoNode, 0, 0, 0, kNoName, NodeKind::document, Namespace::html});
}

NodeId Document::next(NodeId node) const {
  const NodeId up = parent(node);
  if (up == kNoNode) return kNoNode;
  const NodeId after = subtree_end(node);
  return after < subtree_end(up) ? after : kNoNode;
}

NodeId Document::first_child(NodeId node) const {
  return last_child(node) == kNoNode ? kNoNode : node + 1;
}

NodeId Document::previous_element(NodeId node) const {
  do {
    node = previous(node);
  } while (node != kNoNode && !is_element(node));
  return node;
}

NodeId Document::next_element(NodeId node) const {
  do {
    node = next(node);
  } while (node != kNoNode && !is_element(node));
  return node;
}

NodeId Document::first_child_element(NodeId node) const {
  const NodeId child = first_child(node);
  return child == kNoNode || is_element(child) ? child : next_element(child);
}

NodeId Document::body() const {
  const NodeId html = root_element();
  if (html == kNoNode) return kNoNode;
  NodeId child = first_child_element(html);
  while (child != kNoNode && tag(child) != known("body") && tag(child) != known("frameset"))
    child = next_element(child);
  return child;
}

std::string_view Document::name(NameId id) const {
  if (id < kKnownNames.size()) return kKnownNames[id];
  return slice(names_[id - kKnownNames.size()]);
}

std::string_view Document::namespace_uri(Namespace space) const {
  switch (space) {
    case Namespace::html:
      return kHtmlNamespace;
    case Namespace::svg:
      return kSvgNamespace;
    case Namespace::mathml:
      return kMathmlNamespace;
    case Namespace::none:
      return {};
    default:
      return slice(namespaces_[static_cast<std::size_t>(space) -
                               static_cast<std::size_t>(Namespace::first_other)]);
  }
}

std::string_view Document::namespace_uri(AttributeSpace space) const {
  switch (space) {
    case AttributeSpace::none:
      return {};
    case AttributeSpace::xlink:
      return kXlinkNamespace;
    case AttributeSpace::xml:
      return kXmlNamespace;
    case AttributeSpace::xmlns:
      return kXmlnsNamespace;
    default:
      return namespace_uri(static_cast<Namespace>(space));
  }
}

NameId Document::find_name(std::string_view text) const {
  if (const NameId id = find_known_name(text)) return id;
  if (name_slots_.empty()) return kNoName;
  const std::size_t mask = name_slots_.size() - 1;
  for (std::size_t slot = hash64(text) & mask;; slot = (slot + 1) & mask) {
    const NameId id = name_slots_[slot];
    if (id == kNoName || name(id) == text) return id;
  }
}

std::string_view Document::text(NodeId node) const {
  const std::uint32_t begin = nodes_[node].text_begin;
  return std::string_view(text_).substr(begin, nodes_[subtree_end(node)].text_begin - begin);
}

std::string_view Document::comment(NodeId node) const {
  const auto data = attributes(node);
  const bool has_data = kind(node) == NodeKind::comment || kind(node) == NodeKind::instruction;
  return has_data && !data.empty() ? value(data[0]) : std::string_view();
}

std::span<const Attribute> Document::attributes(NodeId node) const {
  const std::uint32_t begin = nodes_[node].attributes_begin;
  return std::span(attributes_).subspan(begin, nodes_[node + 1].attributes_begin - begin);
}

std::string_view Document::value(const Attribute& attribute) const {
  return std::string_view(values_).substr(attribute.value_begin, attribute.value_length);
}

std::optional<std::string_view> Document::attribute(NodeId node, NameId name) const {
  if ((nodes_[node].attribute_bits & attribute_bit(name)) == 0) return std::nullopt;
  for (const Attribute& candidate : attributes(node))
    if (candidate.name == name) return value(candidate);
  return std::nullopt;
}

std::optional<std::string_view> Document::attribute(NodeId node, std::string_view name) const {
  const NameId id = find_name(name);
  return id == kNoName ? std::nullopt : attribute(node, id);
}

bool Document::has_attribute(NodeId node, NameId name) const {
  return attribute(node, name).has_value();
}

std::string_view Document::attribute_or_empty(NodeId node, NameId name) const {
  return attribute(node, name).value_or(std::string_view());
}

std::string_view Document::id(NodeId node) const {
  return attribute_or_empty(node, known("id"));
}

std::string_view Document::class_names(NodeId node) const {
  return attribute_or_empty(node, known("class"));
}

std::size_t Document::memory_bytes() const {
  return sizeof(*this) + nodes_.capacity() * sizeof(Node) +
         attributes_.capacity() * sizeof(Attribute) + text_.capacity() + values_.capacity() +
         names_.capacity() * sizeof(Slice) + name_slots_.capacity() * sizeof(NameId);
}

}  // namespace heddle::html
