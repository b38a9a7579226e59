#include "html/parser/open_elements.hpp"

namespace heddle::html::parser {

OpenElement OpenElements::describe(NodeIndex node) const {
  const TreeNode& element = tree_[node];
  const NameId tag = element.tag;
  const Namespace space = element.space;
  const std::uint32_t traits =
      space == Namespace::html ? html_traits(tag) : foreign_traits(tag, space);
  return {node, tag, traits, space};
}

void OpenElements::count(const OpenElement& element) {
  tree_.set_open(element.node, true);
  if (element.space != Namespace::html) return;
  if (element.tag >= counts_.size()) counts_.resize(element.tag + std::size_t{64});
  ++counts_[element.tag];
}

void OpenElements::uncount(const OpenElement& element) {
  tree_.set_open(element.node, false);
  if (element.space == Namespace::html) --counts_[element.tag];
}

void OpenElements::push(NodeIndex node) {
  elements_.push_back(describe(node));
  count(elements_.back());
  budget_.check_depth(elements_.size());
}

void OpenElements::pop_until(NameId tag) {
  while (!elements_.empty()) {
    const bool is_last = current().is_html(tag);
    erase_last();
    if (is_last) return;
  }
}

void OpenElements::pop_until_any(std::uint32_t traits) {
  while (!elements_.empty()) {
    const bool is_last = current().has(traits) && current().space == Namespace::html;
    erase_last();
    if (is_last) return;
  }
}

void OpenElements::pop_back_to_any(std::uint32_t traits) {
  while (elements_.size() > 1 && !(current().has(traits) && current().space == Namespace::html))
    erase_last();
}

void OpenElements::insert(std::size_t at, NodeIndex node) {
  budget_.charge(elements_.size() - at);
  const auto place = elements_.begin() + static_cast<std::ptrdiff_t>(at);
  count(*elements_.insert(place, describe(node)));
}

void OpenElements::erase(std::size_t at) {
  budget_.charge(elements_.size() - at);
  uncount(elements_[at]);
  elements_.erase(elements_.begin() + static_cast<std::ptrdiff_t>(at));
}

void OpenElements::remove(NodeIndex node) {
  const std::size_t at = index_of(node);
  if (at != kNotFound) erase(at);
}

void OpenElements::replace(std::size_t at, NodeIndex node) {
  uncount(elements_[at]);
  elements_[at] = describe(node);
  count(elements_[at]);
}

bool OpenElements::has_in_scope(NameId tag, std::uint32_t scope) const {
  if (!has(tag)) return false;
  for (std::size_t i = elements_.size(); i-- > 0;) {
    budget_.charge(1);
    if (elements_[i].is_html(tag)) return true;
    if (elements_[i].has(scope)) return false;
  }
  return false;
}

bool OpenElements::has_any_in_scope(std::uint32_t traits, std::uint32_t scope) const {
  for (std::size_t i = elements_.size(); i-- > 0;) {
    budget_.charge(1);
    if (elements_[i].has(traits)) return true;
    if (elements_[i].has(scope)) return false;
  }
  return false;
}

bool OpenElements::has_node_in_scope(NodeIndex node) const {
  if (!tree_[node].is_open) return false;
  for (std::size_t i = elements_.size(); i-- > 0;) {
    budget_.charge(1);
    if (elements_[i].node == node) return true;
    if (elements_[i].has(ends_scope)) return false;
  }
  return false;
}

std::size_t OpenElements::index_of(NodeIndex node) const {
  if (!tree_[node].is_open) return kNotFound;
  std::size_t i = elements_.size() - 1;
  while (elements_[i].node != node) --i;
  budget_.charge(elements_.size() - i);
  return i;
}

std::size_t OpenElements::last_index_of(NameId tag) const {
  if (!has(tag)) return kNotFound;
  std::size_t i = elements_.size() - 1;
  while (!elements_[i].is_html(tag)) --i;
  budget_.charge(elements_.size() - i);
  return i;
}

}  // namespace heddle::html::parser
