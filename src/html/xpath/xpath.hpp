// XPath is an XPath 1.0 expression, compiled once per job and evaluated on many HTML or XML pages.
// Immutable, cheap to copy, shareable by threads. docs/html-parser.md names what differs from the
// standard: names without a prefix, and prefixes that no table declares.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.hpp"
#include "html/document.hpp"
#include "html/selector.hpp"

namespace heddle::html {

struct XPathProgram;

using XPathPrefixes = std::map<std::string, std::string, std::less<>>;  // prefix -> namespace

class XPath {
 public:
  // Fails with bad_input "XPath: position 12: …"; positions are bytes, counted from 1.
  static Result<XPath> compile(std::string_view expression, const XPathPrefixes& prefixes = {});

  [[nodiscard]] const std::string& text() const;
  [[nodiscard]] bool returns_nodes() const;  // otherwise a number, text or boolean
  [[nodiscard]] const XPathProgram& program() const { return *program_; }

 private:
  explicit XPath(std::shared_ptr<const XPathProgram> program);
  std::shared_ptr<const XPathProgram> program_;  // shared by the copies
};

// A node of the tree, or an attribute or namespace of an element. Sorts in document order.
struct XPathNode {
  static constexpr std::uint32_t kAttributes = 0x80000000;

  NodeId node = kNoNode;
  std::uint32_t part = 0;  // n: its n-th namespace; kAttributes + n: its attribute n, from 0

  [[nodiscard]] bool is_whole() const { return part == 0; }
  [[nodiscard]] bool is_attribute() const { return part >= kAttributes; }
  [[nodiscard]] bool is_namespace() const { return part > 0 && part < kAttributes; }
  auto operator<=>(const XPathNode&) const = default;
};

using XPathNodes = std::vector<XPathNode>;  // in document order, each once
using XPathValue = std::variant<XPathNodes, double, std::string, bool>;

// Fails (bad_input) only when page and expression together need more steps than the budget has.
Result<XPathValue> evaluate(const Document& document, const XPath& xpath, XPathNode context,
                            SelectBudget& budget);
Result<XPathValue> evaluate(const Document& document, const XPath& xpath,
                            const SelectLimits& limits = {});

// The string-value of a node: all text of an element, the value of an attribute.
std::string_view string_value(const Document& document, const XPathNode& node);
// The attribute that the node is. Only for is_attribute().
const Attribute& attribute_of(const Document& document, const XPathNode& node);
// What string() gives for a value.
std::string to_text(const Document& document, const XPathValue& value);

}  // namespace heddle::html
