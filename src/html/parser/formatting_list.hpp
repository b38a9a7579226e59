// FormattingList is the standard's list of active formatting elements (<b>, <a>, …), which are
// reopened in the next paragraph unless closed. Markers delimit table cells and objects.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "html/parser/node_tree.hpp"
#include "html/parser/parse_budget.hpp"

namespace heddle::html::parser {

class FormattingList {
 public:
  static constexpr std::size_t kNotFound = static_cast<std::size_t>(-1);

  FormattingList(const NodeTree& tree, const std::vector<RawAttribute>& attributes,
                 ParseBudget& budget)
      : tree_(tree), attributes_(attributes), budget_(budget) {}

  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] NodeIndex operator[](std::size_t i) const { return entries_[i]; }  // kMarker too
  [[nodiscard]] bool needs_no_opening(std::size_t i) const {
    return entries_[i] == kMarker || tree_[entries_[i]].is_open;
  }

  // Of more than three equal elements the earliest is removed.
  void push(NodeIndex node);
  void push_marker() { entries_.push_back(kMarker); }
  void clear_to_marker();

  // The last element of this name after the last marker.
  [[nodiscard]] std::size_t find(NameId tag) const;
  [[nodiscard]] std::size_t index_of(NodeIndex node) const;
  void insert(std::size_t at, NodeIndex node);
  void erase(std::size_t at);
  void remove(NodeIndex node);
  void replace(std::size_t at, NodeIndex node) { entries_[at] = node; }

 private:
  static constexpr NodeIndex kMarker = kNoIndex;

  [[nodiscard]] bool are_equal(NodeIndex left, NodeIndex right) const;
  [[nodiscard]] std::span<const RawAttribute> attributes_of(NodeIndex node) const;

  const NodeTree& tree_;
  const std::vector<RawAttribute>& attributes_;
  ParseBudget& budget_;
  std::vector<NodeIndex> entries_;
};

}  // namespace heddle::html::parser
