// The tree while it is built: nodes linked by number, so that they can still move. Text is not
// copied: a text node is a chain of views. Kept from page to page. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "html/document.hpp"
#include "html/parser/token.hpp"

namespace heddle::html::parser {

using NodeIndex = std::uint32_t;  // in the order of making, not of the document; 0 is the document
inline constexpr NodeIndex kNoIndex = 0xFFFFFFFF;

struct TreeNode {
  NodeIndex parent = kNoIndex;
  NodeIndex first_child = kNoIndex;
  NodeIndex last_child = kNoIndex;
  NodeIndex next = kNoIndex;
  NodeIndex previous = kNoIndex;
  NameId tag : 24;
  NodeKind kind : 3;
  Namespace space : 2;
  bool is_open : 1;       // on the stack of open elements
  std::uint32_t content;  // elements: first attribute; doctypes: their token; others: first piece
  std::uint32_t extent;   // elements: number of attributes; text: last piece
};
static_assert(sizeof(TreeNode) == 32);

struct TextPiece {
  const char* data;
  std::uint32_t length;
  std::uint32_t next;
};

// Where a node goes: before a child of the parent, or behind all of them.
struct Place {
  NodeIndex parent = kNoIndex;
  NodeIndex before = kNoIndex;
};

class NodeTree {
 public:
  static constexpr NodeIndex root() { return 0; }

  void clear();  // nothing but the document

  [[nodiscard]] const TreeNode& operator[](NodeIndex node) const { return nodes_[node]; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  void set_open(NodeIndex node, bool is_open) { nodes_[node].is_open = is_open; }

  NodeIndex add_element(NameId tag, Namespace space, AttributeRange attributes) {
    return add(NodeKind::element, tag, space, attributes.begin, attributes.count);
  }
  // The same element once more; both have one range of attributes.
  NodeIndex clone_element(NodeIndex element) {
    const TreeNode& original = nodes_[element];
    shares_attributes_ = shares_attributes_ || original.extent != 0;
    return add(NodeKind::element, original.tag, original.space, original.content, original.extent);
  }
  NodeIndex add_comment(std::string_view text);
  NodeIndex add_doctype(const Token& token);

  // True when a new node had to be made; otherwise the text went on with the text before it.
  bool insert_text(const Place& place, std::string_view text);
  void insert(NodeIndex node, const Place& place);  // the node has no parent
  void detach(NodeIndex node);
  std::size_t move_children(NodeIndex from, NodeIndex to);  // how many

  [[nodiscard]] AttributeRange attributes(NodeIndex node) const {
    return {nodes_[node].content, nodes_[node].extent};
  }
  [[nodiscard]] const TextPiece& piece(std::uint32_t index) const { return pieces_[index]; }
  [[nodiscard]] const Token& doctype(NodeIndex node) const {
    return doctypes_[nodes_[node].content];
  }
  // What the document will need.
  [[nodiscard]] std::size_t text_bytes() const { return text_bytes_; }
  [[nodiscard]] std::size_t comment_bytes() const { return comment_bytes_; }
  [[nodiscard]] bool shares_attributes() const { return shares_attributes_; }

 private:
  NodeIndex add(NodeKind kind, NameId tag, Namespace space, std::uint32_t content,
                std::uint32_t extent) {
    const auto node = static_cast<NodeIndex>(nodes_.size());
    nodes_.push_back(TreeNode{kNoIndex, kNoIndex, kNoIndex, kNoIndex, kNoIndex, tag, kind, space,
                              false, content, extent});
    return node;
  }
  std::uint32_t add_piece(std::string_view text);
  void extend_text(NodeIndex node, std::string_view text);

  std::vector<TreeNode> nodes_;
  std::vector<TextPiece> pieces_;
  std::vector<Token> doctypes_;
  std::size_t text_bytes_ = 0;
  std::size_t comment_bytes_ = 0;
  bool shares_attributes_ = false;
};

}  // namespace heddle::html::parser
