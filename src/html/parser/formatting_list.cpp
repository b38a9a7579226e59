#include "html/parser/formatting_list.hpp"

#include <algorithm>

namespace heddle::html::parser {

namespace {

constexpr int kMostEqual = 3;

bool is_same(const RawAttribute& left, const RawAttribute& right) {
  return left.name == right.name && left.text() == right.text();
}

}  // namespace

std::span<const RawAttribute> FormattingList::attributes_of(NodeIndex node) const {
  const AttributeRange range = tree_.attributes(node);
  return std::span(attributes_).subspan(range.begin, range.count);
}

bool FormattingList::are_equal(NodeIndex left, NodeIndex right) const {
  if (tree_[left].tag != tree_[right].tag) return false;
  const auto ours = attributes_of(left);
  const auto theirs = attributes_of(right);
  if (ours.size() != theirs.size() || ours.data() == theirs.data())
    return ours.size() == theirs.size();
  return std::all_of(ours.begin(), ours.end(), [&](const RawAttribute& wanted) {
    const auto found = std::find_if(theirs.begin(), theirs.end(), [&](const RawAttribute& other) {
      budget_.charge(1 + wanted.value_length / 16);
      return is_same(wanted, other);
    });
    return found != theirs.end();
  });
}

void FormattingList::push(NodeIndex node) {
  int equal = 0;
  for (std::size_t i = entries_.size(); i-- > 0 && entries_[i] != kMarker;) {
    budget_.charge(1);
    if (!are_equal(entries_[i], node) || ++equal < kMostEqual) continue;
    erase(i);
    break;
  }
  entries_.push_back(node);
}

void FormattingList::clear_to_marker() {
  while (!entries_.empty()) {
    const bool is_marker = entries_.back() == kMarker;
    entries_.pop_back();
    if (is_marker) return;
  }
}

std::size_t FormattingList::find(NameId tag) const {
  for (std::size_t i = entries_.size(); i-- > 0 && entries_[i] != kMarker;) {
    budget_.charge(1);
    if (tree_[entries_[i]].tag == tag) return i;
  }
  return kNotFound;
}

std::size_t FormattingList::index_of(NodeIndex node) const {
  for (std::size_t i = entries_.size(); i-- > 0;) {
    budget_.charge(1);
    if (entries_[i] == node) return i;
  }
  return kNotFound;
}

void FormattingList::insert(std::size_t at, NodeIndex node) {
  entries_.insert(entries_.begin() + static_cast<std::ptrdiff_t>(at), node);
}

void FormattingList::erase(std::size_t at) {
  budget_.charge(entries_.size() - at);
  entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(at));
}

void FormattingList::remove(NodeIndex node) {
  const std::size_t at = index_of(node);
  if (at != kNotFound) erase(at);
}

}  // namespace heddle::html::parser
