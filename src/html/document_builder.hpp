// Builds a Document node by node in document order. Used for one document. Never recurses, so any
// depth is safe. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "html/document.hpp"

namespace heddle::html {

class DocumentBuilder {
 public:
  struct Expected {  // sizes to reserve; a wrong guess costs only time
    std::size_t nodes = 0;
    std::size_t attributes = 0;
    std::size_t bytes = 0;        // of text
    std::size_t value_bytes = 0;  // of attributes and comments
  };
  explicit DocumentBuilder(const Expected& expected);
  void reserve(const Expected& expected);

  // Elements stay open until close(); attributes belong to the element opened last.
  void open(NameId tag, Namespace space);
  // The first of several attributes with the same name counts, as in a browser.
  void add_attribute(NameId name, std::string_view value, AttributeSpace space);
  // A value that several elements share is stored once.
  struct Value {
    std::uint32_t begin;
    std::uint32_t length;
  };
  Value store_value(std::string_view value);
  void add_attribute(NameId name, Value value, AttributeSpace space);
  void close();
  // Adjacent texts become one node.
  void add_text(std::string_view text);
  void add_comment(std::string_view text);
  void add_instruction(NameId target, std::string_view data);
  void add_doctype(NameId name, std::string_view public_id, std::string_view system_id);

  // For XML. A document has room for 252 namespaces besides those of HTML.
  static constexpr std::size_t kMaxNamespaces =
      256 - static_cast<std::size_t>(Namespace::first_other);
  void set_xml() { document_.is_xml_ = true; }
  [[nodiscard]] std::size_t namespace_count() const { return document_.namespaces_.size(); }
  Namespace add_namespace(std::string_view uri);  // new, and below kMaxNamespaces

  // The id of a name; assigns one to a new name.
  NameId intern(std::string_view text);

  [[nodiscard]] std::string_view name(NameId id) const { return document_.name(id); }
  // The id of a name that was interned before; kNoName for any other.
  NameId find_name(std::string_view text);

  [[nodiscard]] std::size_t node_count() const { return document_.nodes_.size(); }
  [[nodiscard]] std::size_t new_name_count() const { return document_.names_.size(); }
  // Comparisons made to find names so far: far more than names when a page provokes collisions.
  [[nodiscard]] std::size_t name_steps() const { return name_steps_; }

  Document finish() &&;

 private:
  NodeId append(NodeKind kind, NameId tag, Namespace space);
  void put_attribute(NameId name, std::string_view value, AttributeSpace space);
  [[nodiscard]] std::size_t slot_of(std::string_view text);  // its own, or the free slot for it
  void grow_name_slots();

  Document document_;
  NodeId open_ = Document::root();
  std::vector<NodeId> last_owner_;  // by name: the element that has it already
  std::size_t name_steps_ = 0;
};

}  // namespace heddle::html
