// Document holds a parsed HTML or XML page as one flat, immutable tree in document order. A plain
// value that owns its text; returned views are valid as long as it is. Concurrent reads are safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "html/names.hpp"

namespace heddle::html {

using NodeId = std::uint32_t;  // index in document order; 0 is the document itself
inline constexpr NodeId kNoNode = 0xFFFFFFFF;

// Only XML has instructions ("<?target data?>"): HTML reads them as comments.
enum class NodeKind : std::uint8_t { document, doctype, element, text, comment, instruction };
// XML documents have further namespaces, numbered from first_other in order of appearance; an
// attribute in one of them has the same number.
enum class Namespace : std::uint8_t { html, svg, mathml, none, first_other };
enum class AttributeSpace : std::uint8_t { none, xlink, xml, xmlns, first_other };

inline constexpr std::string_view kHtmlNamespace = "http://www.w3.org/1999/xhtml";
inline constexpr std::string_view kSvgNamespace = "http://www.w3.org/2000/svg";
inline constexpr std::string_view kMathmlNamespace = "http://www.w3.org/1998/Math/MathML";
inline constexpr std::string_view kXlinkNamespace = "http://www.w3.org/1999/xlink";
inline constexpr std::string_view kXmlNamespace = "http://www.w3.org/XML/1998/namespace";
inline constexpr std::string_view kXmlnsNamespace = "http://www.w3.org/2000/xmlns/";

struct Attribute {
  NameId name : 24;  // as written, with a prefix if there is one
  AttributeSpace space : 8;
  std::uint32_t value_begin;
  std::uint32_t value_length;
};
static_assert(sizeof(Attribute) == 12);

class Document {
 public:
  Document();  // nothing but the document node

  [[nodiscard]] std::size_t size() const { return nodes_.size() - 1; }
  [[nodiscard]] static constexpr NodeId root() { return 0; }

  [[nodiscard]] NodeKind kind(NodeId node) const { return nodes_[node].kind; }
  [[nodiscard]] bool is_element(NodeId node) const { return kind(node) == NodeKind::element; }
  [[nodiscard]] bool is_xml() const { return is_xml_; }
  [[nodiscard]] Namespace space(NodeId node) const { return nodes_[node].space; }
  [[nodiscard]] std::string_view namespace_uri(Namespace space) const;  // empty for none
  [[nodiscard]] std::string_view namespace_uri(AttributeSpace space) const;

  // The descendants of a node are exactly the ids after it and below subtree_end(node).
  [[nodiscard]] NodeId subtree_end(NodeId node) const { return nodes_[node].end; }
  [[nodiscard]] NodeId parent(NodeId node) const { return nodes_[node].parent; }
  [[nodiscard]] NodeId previous(NodeId node) const { return nodes_[node].previous; }
  [[nodiscard]] NodeId next(NodeId node) const;
  [[nodiscard]] NodeId first_child(NodeId node) const;
  [[nodiscard]] NodeId last_child(NodeId node) const { return nodes_[node].last_child; }
  [[nodiscard]] NodeId previous_element(NodeId node) const;
  [[nodiscard]] NodeId next_element(NodeId node) const;
  [[nodiscard]] NodeId first_child_element(NodeId node) const;
  [[nodiscard]] NodeId root_element() const { return first_child_element(root()); }
  [[nodiscard]] NodeId body() const;  // the body or frameset, kNoNode when there is none

  [[nodiscard]] NameId tag(NodeId node) const { return nodes_[node].tag; }  // kNoName: no element
  [[nodiscard]] std::string_view tag_name(NodeId node) const { return name(tag(node)); }
  [[nodiscard]] std::string_view name(NameId id) const;
  // The id of a name in this document; kNoName when no node has it.
  [[nodiscard]] NameId find_name(std::string_view text) const;

  // All text below a node (or the text node's own), in one piece: scripts and styles included,
  // comments not.
  [[nodiscard]] std::string_view text(NodeId node) const;
  // The text of a comment, or the data of an instruction, whose target is its tag_name().
  [[nodiscard]] std::string_view comment(NodeId node) const;
  // A doctype has up to three attributes: its name (without value), "public" and "system".
  [[nodiscard]] std::span<const Attribute> attributes(NodeId node) const;
  [[nodiscard]] std::string_view value(const Attribute& attribute) const;

  [[nodiscard]] std::optional<std::string_view> attribute(NodeId node, NameId name) const;
  [[nodiscard]] std::optional<std::string_view> attribute(NodeId node, std::string_view name) const;
  [[nodiscard]] bool has_attribute(NodeId node, NameId name) const;
  // Empty when absent: no selector distinguishes that from an empty value.
  [[nodiscard]] std::string_view id(NodeId node) const;
  [[nodiscard]] std::string_view class_names(NodeId node) const;

  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  friend class DocumentBuilder;

  // Text and attributes of a node end where those of the next one begin; a sentinel node that is
  // not part of the tree ends the list.
  struct Node {
    NodeId parent;
    NodeId end;
    NodeId previous;
    NodeId last_child;
    std::uint32_t text_begin;
    std::uint32_t attributes_begin;
    std::uint32_t attribute_bits;  // bit (name % 32) is set when such an attribute may be there
    NameId tag : 20;
    NodeKind kind : 4;
    Namespace space : 8;
  };
  static_assert(sizeof(Node) == 32);

  struct Slice {
    std::uint32_t begin;
    std::uint32_t length;
  };

  static constexpr std::uint32_t attribute_bit(NameId name) { return 1U << (name % 32); }
  [[nodiscard]] std::string_view attribute_or_empty(NodeId node, NameId name) const;
  [[nodiscard]] std::string_view slice(const Slice& slice) const {
    return std::string_view(values_).substr(slice.begin, slice.length);
  }

  std::vector<Node> nodes_;
  std::vector<Attribute> attributes_;
  std::string text_;                // of all text nodes, in document order
  std::string values_;              // attribute values, comments, names of this document
  std::vector<Slice> names_;        // in values_; the first has the id kKnownNames.size()
  std::vector<NameId> name_slots_;  // open addressing, a power of two; 0 is free
  std::vector<Slice> namespaces_;   // in values_; the first is Namespace::first_other
  bool is_xml_ = false;
};

}  // namespace heddle::html
