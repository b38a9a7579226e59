#include "html/document_builder.hpp"

#include <utility>

#include "base/hash.hpp"

namespace heddle::html {

DocumentBuilder::DocumentBuilder(const Expected& expected)
    : last_owner_(kKnownNames.size(), kNoNode) {
  document_.nodes_.pop_back();  // finish() adds the sentinel again
  reserve(expected);
}

void DocumentBuilder::reserve(const Expected& expected) {
  document_.nodes_.reserve(expected.nodes + 2);
  document_.attributes_.reserve(expected.attributes);
  document_.text_.reserve(expected.bytes);
  document_.values_.reserve(document_.values_.size() + expected.value_bytes);
}

NodeId DocumentBuilder::append(NodeKind kind, NameId tag, Namespace space) {
  auto& nodes = document_.nodes_;
  const auto node = static_cast<NodeId>(nodes.size());
  const NodeId previous = nodes[open_].last_child;
  nodes[open_].last_child = node;
  nodes.push_back(Document::Node{
      open_, node + 1, previous, kNoNode, static_cast<std::uint32_t>(document_.text_.size()),
      static_cast<std::uint32_t>(document_.attributes_.size()), 0, tag, kind, space});
  return node;
}

void DocumentBuilder::open(NameId tag, Namespace space) {
  open_ = append(NodeKind::element, tag, space);
}

DocumentBuilder::Value DocumentBuilder::store_value(std::string_view value) {
  const auto begin = static_cast<std::uint32_t>(document_.values_.size());
  document_.values_ += value;
  return {begin, static_cast<std::uint32_t>(value.size())};
}

void DocumentBuilder::put_attribute(NameId name, std::string_view value, AttributeSpace space) {
  const Value stored = store_value(value);
  document_.attributes_.push_back(Attribute{name, space, stored.begin, stored.length});
}

void DocumentBuilder::add_attribute(NameId name, std::string_view value, AttributeSpace space) {
  if (last_owner_[name] == open_) return;
  add_attribute(name, store_value(value), space);
}

void DocumentBuilder::add_attribute(NameId name, Value value, AttributeSpace space) {
  if (last_owner_[name] == open_) return;
  last_owner_[name] = open_;
  document_.nodes_[open_].attribute_bits |= Document::attribute_bit(name);
  document_.attributes_.push_back(Attribute{name, space, value.begin, value.length});
}

void DocumentBuilder::close() {
  Document::Node& node = document_.nodes_[open_];
  node.end = static_cast<NodeId>(document_.nodes_.size());
  open_ = node.parent;
}

void DocumentBuilder::add_text(std::string_view text) {
  if (text.empty()) return;
  const NodeId previous = document_.nodes_[open_].last_child;
  const bool joins = previous != kNoNode && document_.nodes_[previous].kind == NodeKind::text;
  if (!joins) append(NodeKind::text, kNoName, Namespace::html);
  document_.text_ += text;
}

void DocumentBuilder::add_comment(std::string_view text) {
  append(NodeKind::comment, kNoName, Namespace::html);
  put_attribute(kNoName, text, AttributeSpace::none);
}

void DocumentBuilder::add_instruction(NameId target, std::string_view data) {
  append(NodeKind::instruction, target, Namespace::none);
  put_attribute(kNoName, data, AttributeSpace::none);
}

Namespace DocumentBuilder::add_namespace(std::string_view uri) {
  const Value stored = store_value(uri);
  document_.namespaces_.push_back({stored.begin, stored.length});
  return static_cast<Namespace>(static_cast<std::size_t>(Namespace::first_other) +
                                document_.namespaces_.size() - 1);
}

void DocumentBuilder::add_doctype(NameId name, std::string_view public_id,
                                  std::string_view system_id) {
  append(NodeKind::doctype, kNoName, Namespace::html);
  put_attribute(name, {}, AttributeSpace::none);
  if (public_id.empty() && system_id.empty()) return;
  put_attribute(intern("public"), public_id, AttributeSpace::none);
  put_attribute(intern("system"), system_id, AttributeSpace::none);
}

std::size_t DocumentBuilder::slot_of(std::string_view text) {
  const auto& slots = document_.name_slots_;
  const std::size_t mask = slots.size() - 1;
  std::size_t slot = hash64(text) & mask;
  for (; slots[slot] != kNoName; slot = (slot + 1) & mask) {
    ++name_steps_;
    if (document_.name(slots[slot]) == text) break;
  }
  return slot;
}

NameId DocumentBuilder::find_name(std::string_view text) {
  if (const NameId known = find_known_name(text)) return known;
  return document_.name_slots_.empty() ? kNoName : document_.name_slots_[slot_of(text)];
}

NameId DocumentBuilder::intern(std::string_view text) {
  if (const NameId known = find_known_name(text)) return known;
  if (text.empty()) return kNoName;
  if (document_.names_.size() * 2 >= document_.name_slots_.size()) grow_name_slots();

  const std::size_t slot = slot_of(text);
  if (const NameId present = document_.name_slots_[slot]) return present;
  const auto id = static_cast<NameId>(kKnownNames.size() + document_.names_.size());
  document_.names_.push_back({static_cast<std::uint32_t>(document_.values_.size()),
                              static_cast<std::uint32_t>(text.size())});
  document_.values_ += text;
  last_owner_.push_back(kNoNode);
  document_.name_slots_[slot] = id;
  return id;
}

void DocumentBuilder::grow_name_slots() {
  auto& slots = document_.name_slots_;
  slots.assign(slots.empty() ? 64 : slots.size() * 2, kNoName);
  const std::size_t mask = slots.size() - 1;
  for (std::size_t i = 0; i < document_.names_.size(); ++i) {
    const auto id = static_cast<NameId>(kKnownNames.size() + i);
    std::size_t slot = hash64(document_.name(id)) & mask;
    while (slots[slot] != kNoName) slot = (slot + 1) & mask;
    slots[slot] = id;
  }
}

Document DocumentBuilder::finish() && {
  while (open_ != Document::root()) close();
  auto& nodes = document_.nodes_;
  const auto end = static_cast<NodeId>(nodes.size());
  nodes.front().end = end;
  nodes.push_back(Document::Node{kNoNode, end + 1, kNoNode, kNoNode,
                                 static_cast<std::uint32_t>(document_.text_.size()),
                                 static_cast<std::uint32_t>(document_.attributes_.size()), 0,
                                 kNoName, NodeKind::document, Namespace::html});
  return std::move(document_);
}

}  // namespace heddle::html
