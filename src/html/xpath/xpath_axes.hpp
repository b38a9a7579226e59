// XPathAxes lists the nodes of an axis and tests them. Exists for one evaluation. Not thread-safe.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "html/xpath/xpath.hpp"
#include "html/xpath/xpath_program.hpp"

namespace heddle::html {

// The namespaces in scope at an element: prefix and URI, the innermost declaration of each.
std::vector<std::pair<std::string_view, std::string_view>> namespaces_in_scope(
    const Document& document, NodeId element);

class XPathAxes {
 public:
  XPathAxes(const Document& document, const XPathProgram& program, SelectBudget& budget);

  // Appends the nodes of the axis that pass the test, in the order of the axis: reverse axes begin
  // with the nearest node.
  void collect(const XPathStep& step, const XPathNode& context, XPathNodes& out);

  // Subtracts from the budget; false when it is used up.
  bool spend(std::size_t steps);

 private:
  struct Names {
    NameId written;
    NameId lower;
  };

  void visit(const XPathStep& step, NodeId node, XPathNodes& out);
  void collect_range(const XPathStep& step, NodeId begin, NodeId end, XPathNodes& out);
  void collect_ancestors(const XPathStep& step, NodeId node, XPathNodes& out);
  void collect_preceding(const XPathStep& step, NodeId node, XPathNodes& out);
  void collect_siblings(const XPathStep& step, const XPathNode& context, XPathNodes& out);
  void collect_attributes(const XPathStep& step, const XPathNode& context, XPathNodes& out);
  void collect_namespaces(const XPathStep& step, const XPathNode& context, XPathNodes& out);
  void collect_self(const XPathStep& step, const XPathNode& context, XPathNodes& out);

  [[nodiscard]] bool passes(const NodeTest& test, NodeId node) const;
  [[nodiscard]] bool has_name(const NodeTest& test, NodeId element) const;
  [[nodiscard]] bool passes(const NodeTest& test, NodeId element, const Attribute& attribute) const;
  [[nodiscard]] bool is_in_space(const NodeTest& test, std::string_view uri,
                                 std::string_view qualified) const;
  [[nodiscard]] bool is_shown(const Attribute& attribute) const;

  const Document& document_;
  SelectBudget& budget_;
  std::vector<Names> names_;  // by NodeTest::slot: their ids in this document
};

}  // namespace heddle::html
