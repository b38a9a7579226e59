#include "html/parser/tree_writer.hpp"

namespace heddle::html::parser {

namespace {

class TreeWriter {
 public:
  TreeWriter(const FinishedTree& tree, DocumentBuilder& document)
      : tree_(tree), nodes_(tree.nodes), document_(document) {
    if (nodes_.shares_attributes()) stored_.resize(tree.attributes.size(), {kNotStored, 0});
  }

  void run(ParseBudget& budget) {
    NodeIndex node = nodes_[NodeTree::root()].first_child;
    std::size_t depth = 1;
    while (node != kNoIndex) {
      const bool is_element = write(node);
      if (is_element && nodes_[node].first_child != kNoIndex) {
        // Text below the deepest element is not counted as a level.
        budget.check_depth(depth++);
        if (budget.is_exceeded()) return;
        node = nodes_[node].first_child;
        continue;
      }
      if (is_element) document_.close();
      while (nodes_[node].next == kNoIndex) {
        node = nodes_[node].parent;
        if (node == NodeTree::root()) return;
        document_.close();
        --depth;
      }
      node = nodes_[node].next;
    }
  }

 private:
  // Returns whether the node is an element, which is then open.
  bool write(NodeIndex index) {
    const TreeNode& node = nodes_[index];
    switch (node.kind) {
      case NodeKind::element:
        document_.open(node.tag, node.space);
        write_attributes(nodes_.attributes(index));
        if (!tree_.late_attributes.empty()) write_late_attributes(index);
        return true;
      case NodeKind::text:
        for (std::uint32_t i = node.content; i != kNoIndex; i = nodes_.piece(i).next)
          document_.add_text({nodes_.piece(i).data, nodes_.piece(i).length});
        return false;
      case NodeKind::comment:
        document_.add_comment({nodes_.piece(node.content).data, nodes_.piece(node.content).length});
        return false;
      case NodeKind::doctype: {
        const Token& token = nodes_.doctype(index);
        document_.add_doctype(token.name, token.public_id, token.system_id);
        return false;
      }
      case NodeKind::document:
      case NodeKind::instruction:  // HTML has none
        break;
    }
    return false;
  }

  void write_attributes(AttributeRange range) {
    for (std::uint32_t i = range.begin; i < range.begin + range.count; ++i) {
      const RawAttribute& attribute = tree_.attributes[i];
      if (stored_.empty())
        document_.add_attribute(attribute.name, attribute.text(), attribute.space);
      else
        document_.add_attribute(attribute.name, stored_value(i), attribute.space);
    }
  }

  // A value that cloned elements share is copied once.
  DocumentBuilder::Value stored_value(std::uint32_t index) {
    DocumentBuilder::Value& value = stored_[index];
    if (value.begin == kNotStored) value = document_.store_value(tree_.attributes[index].text());
    return value;
  }

  void write_late_attributes(NodeIndex index) {
    const NameId tag = nodes_[index].tag;
    if (tag != known("html") && tag != known("body")) return;
    for (const LateAttributes& late : tree_.late_attributes)
      if (late.node == index) write_attributes(late.attributes);
  }

  static constexpr std::uint32_t kNotStored = 0xFFFFFFFF;

  const FinishedTree& tree_;
  const NodeTree& nodes_;
  DocumentBuilder& document_;
  std::vector<DocumentBuilder::Value> stored_;  // by attribute; empty when no element was cloned
};

}  // namespace

void write_tree(const FinishedTree& tree, DocumentBuilder& document, ParseBudget& budget) {
  TreeWriter(tree, document).run(budget);
}

}  // namespace heddle::html::parser
