#include "html/parser/node_tree.hpp"

namespace heddle::html::parser {

void NodeTree::clear() {
  nodes_.clear();
  pieces_.clear();
  doctypes_.clear();
  text_bytes_ = comment_bytes_ = 0;
  shares_attributes_ = false;
  add(NodeKind::document, kNoName, Namespace::html, 0, 0);
}

std::uint32_t NodeTree::add_piece(std::string_view text) {
  const auto index = static_cast<std::uint32_t>(pieces_.size());
  pieces_.push_back(TextPiece{text.data(), static_cast<std::uint32_t>(text.size()), kNoIndex});
  return index;
}

NodeIndex NodeTree::add_comment(std::string_view text) {
  comment_bytes_ += text.size();
  return add(NodeKind::comment, kNoName, Namespace::html, add_piece(text), 0);
}

NodeIndex NodeTree::add_doctype(const Token& token) {
  doctypes_.push_back(token);
  return add(NodeKind::doctype, kNoName, Namespace::html,
             static_cast<std::uint32_t>(doctypes_.size() - 1), 0);
}

bool NodeTree::insert_text(const InsertionLocation& location, std::string_view text) {
  text_bytes_ += text.size();
  const NodeIndex neighbour = location.before == kNoIndex ? nodes_[location.parent].last_child
                                                          : nodes_[location.before].previous;
  if (neighbour != kNoIndex && nodes_[neighbour].kind == NodeKind::text) {
    extend_text(neighbour, text);
    return false;
  }
  const std::uint32_t piece = add_piece(text);
  insert(add(NodeKind::text, kNoName, Namespace::html, piece, piece), location);
  return true;
}

void NodeTree::extend_text(NodeIndex node, std::string_view text) {
  TextPiece& last = pieces_[nodes_[node].extent];
  if (last.data + last.length == text.data()) {
    last.length += static_cast<std::uint32_t>(text.size());
    return;
  }
  const auto added = static_cast<std::uint32_t>(pieces_.size());
  last.next = added;
  nodes_[node].extent = added;
  add_piece(text);
}

void NodeTree::insert(NodeIndex node, const InsertionLocation& location) {
  TreeNode& added = nodes_[node];
  TreeNode& parent = nodes_[location.parent];
  const NodeIndex previous =
      location.before == kNoIndex ? parent.last_child : nodes_[location.before].previous;
  added.parent = location.parent;
  added.previous = previous;
  added.next = location.before;
  (previous == kNoIndex ? parent.first_child : nodes_[previous].next) = node;
  (location.before == kNoIndex ? parent.last_child : nodes_[location.before].previous) = node;
}

void NodeTree::detach(NodeIndex node) {
  TreeNode& removed = nodes_[node];
  if (removed.parent == kNoIndex) return;
  TreeNode& parent = nodes_[removed.parent];
  (removed.previous == kNoIndex ? parent.first_child : nodes_[removed.previous].next) =
      removed.next;
  (removed.next == kNoIndex ? parent.last_child : nodes_[removed.next].previous) = removed.previous;
  removed.parent = removed.previous = removed.next = kNoIndex;
}

std::size_t NodeTree::move_children(NodeIndex from, NodeIndex to) {
  const NodeIndex first = nodes_[from].first_child;
  if (first == kNoIndex) return 0;
  std::size_t count = 0;
  for (NodeIndex child = first; child != kNoIndex; child = nodes_[child].next, ++count)
    nodes_[child].parent = to;
  TreeNode& target = nodes_[to];
  nodes_[first].previous = target.last_child;
  (target.last_child == kNoIndex ? target.first_child : nodes_[target.last_child].next) = first;
  target.last_child = nodes_[from].last_child;
  nodes_[from].first_child = nodes_[from].last_child = kNoIndex;
  return count;
}

}  // namespace heddle::html::parser
