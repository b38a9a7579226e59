// XPathEvaluator evaluates one compiled expression on one document. Exists for one evaluation. Not
// thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "html/xpath/xpath.hpp"
#include "html/xpath/xpath_axes.hpp"
#include "html/xpath/xpath_program.hpp"

namespace heddle::html {

class XPathEvaluator {
 public:
  XPathEvaluator(const Document& document, const XPathProgram& program, SelectBudget& budget)
      : document_(document), program_(program), budget_(budget), axes_(document, program, budget) {}

  // Meaningless when the budget is used up.
  XPathValue evaluate(const XPathNode& context) { return value(program_.top, {context, 1, 1}); }
  [[nodiscard]] bool has_steps() const { return budget_.steps_left > 0; }

 private:
  struct Context {
    XPathNode node;
    std::size_t position;
    std::size_t size;
  };

  // Each converts to the type as the standard says.
  XPathValue value(XPathId id, const Context& context);
  XPathNodes nodes(XPathId id, const Context& context);
  double number(XPathId id, const Context& context);
  std::string text(XPathId id, const Context& context);
  bool boolean(XPathId id, const Context& context);

  XPathNodes path(const XPathExpression& expression, const Context& context);
  XPathNodes filter(const XPathExpression& expression, const Context& context);
  XPathNodes unite(const XPathExpression& expression, const Context& context);
  XPathNodes apply(const XPathStep& step, const XPathNodes& contexts);
  void keep_accepted(XPathId predicate, XPathNodes& candidates);
  double arithmetic(const XPathExpression& expression, const Context& context);

  bool compare(const XPathExpression& expression, const Context& context);
  bool compare_values(XPathOperator op, const XPathValue& left, const XPathValue& right);
  bool compare_nodes(XPathOperator op, const XPathNodes& left, const XPathNodes& right);
  bool compare_with(XPathOperator op, const XPathNodes& nodes, const XPathValue& other);

  XPathValue call(const XPathExpression& expression, const Context& context);
  XPathValue call_on_node(const XPathExpression& expression, const Context& context);
  XPathValue call_on_texts(const XPathExpression& expression, const Context& context);
  double call_on_number(const XPathExpression& expression, const Context& context);
  std::string first_text(const XPathExpression& expression, const Context& context);
  std::string name_of(XPathFunction function, const XPathNode& node);
  XPathNodes elements_with_id(const XPathExpression& expression, const Context& context);
  bool has_language(std::string_view wanted, NodeId node);
  double sum(const XPathNodes& nodes);

  std::string_view text_of(const XPathNode& node);  // string_value() that costs steps
  double number_of(const XPathValue& value);
  std::string text_of(const XPathValue& value);
  static bool boolean_of(const XPathValue& value);

  const Document& document_;
  const XPathProgram& program_;
  SelectBudget& budget_;
  XPathAxes axes_;
};

}  // namespace heddle::html
