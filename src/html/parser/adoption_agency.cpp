// Implements the adoption agency algorithm: </b> when blocks were opened inside <b>.
#include "html/parser/tree_builder.hpp"

namespace heddle::html::parser {

namespace {

constexpr int kMostRounds = 8;
constexpr int kFormattingKept = 3;  // between the block and the formatting element

class AdoptionAgency {
 public:
  explicit AdoptionAgency(TreeBuilder& builder) : builder_(builder), open_(builder.open) {}

  // One iteration; false when it was the last.
  bool run_round(std::size_t entry) {
    formatting_ = builder_.formatting[entry];
    at_ = open_.index_of(formatting_);
    if (at_ == OpenElements::kNotFound) {
      builder_.formatting.erase(entry);
      return false;
    }
    if (!open_.has_node_in_scope(formatting_)) return false;
    const std::size_t block_at = furthest_block();
    if (block_at == open_.size()) {
      open_.pop_to(at_);
      builder_.formatting.erase(entry);
      return false;
    }
    block_ = open_[block_at].node;
    bookmark_ = entry;
    const NodeIndex top = rebuild_chain(block_at);
    const OpenElement ancestor = open_[at_ - 1];
    builder_.tree.detach(top);
    builder_.tree.insert(top, builder_.insertion_location(ancestor));
    wrap_content_of_block();
    return true;
  }

 private:
  // The topmost special element inside the formatting element, or the size of the stack.
  [[nodiscard]] std::size_t furthest_block() const {
    std::size_t i = at_ + 1;
    while (i < open_.size() && !open_[i].has(is_special)) ++i;
    builder_.budget.charge(i - at_);
    return i;
  }

  // Copies the formatting elements between the block and formatting_, and moves the block below
  // them. Returns the top of that chain.
  NodeIndex rebuild_chain(std::size_t i) {
    NodeIndex last = block_;
    for (int inner = 1; --i > at_; ++inner) {
      const NodeIndex node = open_[i].node;
      std::size_t entry = builder_.formatting.index_of(node);
      if (inner > kFormattingKept && entry != FormattingList::kNotFound) {
        builder_.formatting.erase(entry);
        if (entry < bookmark_) --bookmark_;
        entry = FormattingList::kNotFound;
      }
      if (entry == FormattingList::kNotFound) {
        open_.erase(i);
        continue;
      }
      const NodeIndex copy = builder_.clone(node);
      builder_.formatting.replace(entry, copy);
      open_.replace(i, copy);
      if (last == block_) bookmark_ = entry + 1;
      builder_.tree.detach(last);
      builder_.tree.insert(last, {copy});
      last = copy;
    }
    return last;
  }

  void wrap_content_of_block() {
    const NodeIndex copy = builder_.clone(formatting_);
    builder_.budget.charge(builder_.tree.move_children(block_, copy));
    builder_.tree.insert(copy, {block_});

    const std::size_t entry = builder_.formatting.index_of(formatting_);
    builder_.formatting.erase(entry);
    builder_.formatting.insert(entry < bookmark_ ? bookmark_ - 1 : bookmark_, copy);

    open_.erase(at_);
    open_.insert(open_.index_of(block_) + 1, copy);
  }

  TreeBuilder& builder_;
  OpenElements& open_;
  NodeIndex formatting_ = kNoIndex;
  NodeIndex block_ = kNoIndex;
  std::size_t at_ = 0;        // index of formatting_ on the stack; nothing below it changes
  std::size_t bookmark_ = 0;  // where the copy of formatting_ is inserted in the list
};

}  // namespace

void TreeBuilder::run_adoption_agency(NameId tag) {
  const OpenElement current = open.current();
  if (current.is_html(tag) && formatting.index_of(current.node) == FormattingList::kNotFound) {
    open.pop();
    return;
  }
  AdoptionAgency agency(*this);
  for (int round = 0; round < kMostRounds && !budget.is_exceeded(); ++round) {
    const std::size_t entry = formatting.find(tag);
    if (entry == FormattingList::kNotFound) return close_ordinary(tag);
    if (!agency.run_round(entry)) return;
  }
}

}  // namespace heddle::html::parser
