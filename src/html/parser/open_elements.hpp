// OpenElements is the standard's stack of open elements. It counts the open elements per name,
// which avoids most searches; the others are charged to the budget. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "html/parser/node_tree.hpp"
#include "html/parser/parse_budget.hpp"
#include "html/parser/tag_traits.hpp"

namespace heddle::html::parser {

struct OpenElement {
  NodeIndex node;
  NameId tag;
  std::uint32_t traits;
  Namespace space;

  [[nodiscard]] bool is_html(NameId name) const { return tag == name && space == Namespace::html; }
  [[nodiscard]] bool has(std::uint32_t bits) const { return (traits & bits) != 0; }
};

class OpenElements {
 public:
  static constexpr std::size_t kNotFound = static_cast<std::size_t>(-1);

  OpenElements(NodeTree& tree, ParseBudget& budget) : tree_(tree), budget_(budget) {
    elements_.reserve(64);
    counts_.resize(256);
  }

  [[nodiscard]] std::size_t size() const { return elements_.size(); }
  [[nodiscard]] bool empty() const { return elements_.empty(); }
  [[nodiscard]] const OpenElement& operator[](std::size_t i) const { return elements_[i]; }
  [[nodiscard]] const OpenElement& current() const { return elements_.back(); }
  [[nodiscard]] bool is_current(NameId tag) const { return current().is_html(tag); }

  void push(NodeIndex node);
  void pop() { erase_last(); }
  void pop_to(std::size_t size) {
    while (elements_.size() > size) erase_last();
  }
  // Pops elements until one of these has been popped.
  void pop_until(NameId tag);
  void pop_until_any(std::uint32_t traits);
  // Pops elements until one of these is the current one; <html> must be among them.
  void pop_back_to_any(std::uint32_t traits);

  // In place of an element that was erased: the depth stays what it was.
  void insert(std::size_t at, NodeIndex node);
  void erase(std::size_t at);
  void remove(NodeIndex node);
  void replace(std::size_t at, NodeIndex node);

  [[nodiscard]] bool has(NameId tag) const { return tag < counts_.size() && counts_[tag] != 0; }
  // `scope` is one of the ends_…_scope traits.
  [[nodiscard]] bool has_in_scope(NameId tag, std::uint32_t scope = ends_scope) const;
  [[nodiscard]] bool has_any_in_scope(std::uint32_t traits, std::uint32_t scope) const;
  [[nodiscard]] bool has_node_in_scope(NodeIndex node) const;
  [[nodiscard]] std::size_t index_of(NodeIndex node) const;   // kNotFound when it is not open
  [[nodiscard]] std::size_t last_index_of(NameId tag) const;  // kNotFound when there is none

 private:
  [[nodiscard]] OpenElement describe(NodeIndex node) const;
  void count(const OpenElement& element);
  void uncount(const OpenElement& element);
  void erase_last() {
    uncount(elements_.back());
    elements_.pop_back();
  }

  NodeTree& tree_;
  ParseBudget& budget_;
  std::vector<OpenElement> elements_;
  std::vector<std::uint32_t> counts_;  // by name, of HTML elements
};

}  // namespace heddle::html::parser
