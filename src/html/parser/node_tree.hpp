// NodeTree holds the tree during construction: nodes linked by index, so that they can move. Text
// is not copied: a text node is a chain of views. Reused between pages. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "html/document.hpp"
#include "html/parser/tokenizer/token.hpp"

namespace heddle::html::parser {

using NodeIndex = std::uint32_t;  // in order of creation, not document order; 0 is the document
inline constexpr NodeIndex kNoIndex = 0xFFFFFFFF;

struct TreeNode {
  NodeIndex parent = kNoIndex;
  NodeIndex first_child = kNoIndex;
  NodeIndex last_child = kNoIndex;
  NodeIndex next = kNoIndex;
  NodeIndex previous = kNoIndex;
  NameId tag : 20;
  NodeKind kind : 3;
  Namespace space : 3;
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

// Where a node is inserted: before a child of the parent, or after its last child.
struct InsertionLocation {
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
  // The copy shares the attributes of the original.
  NodeIndex clone_element(NodeIndex element) {
    const TreeNode& original = nodes_[element];
    shares_attributes_ = shares_attributes_ || original.extent != 0;
    return add(NodeKind::element, original.tag, original.space, original.content, original.extent);
  }
  NodeIndex add_comment(std::string_view text);
  NodeIndex add_doctype(const Token& token);

  // Returns whether a new node was created; otherwise the text was appended to the one before it.
  bool insert_text(const InsertionLocation& location, std::string_view text);
  void insert(NodeIndex node, const InsertionLocation& location);  // the node has no parent
  void detach(NodeIndex node);
  std::size_t move_children(NodeIndex from, NodeIndex to);  // how many

  [[nodiscard]] AttributeRange attributes(NodeIndex node) const {
    return {nodes_[node].content, nodes_[node].extent};
  }
  [[nodiscard]] const TextPiece& piece(std::uint32_t index) const { return pieces_[index]; }
  [[nodiscard]] const Token& doctype(NodeIndex node) const {
    return doctypes_[nodes_[node].content];
  }
  // Sizes for DocumentBuilder::Expected.
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
