#include "html/xpath/xpath.hpp"

#include <fmt/format.h>

#include "html/xpath/xpath_axes.hpp"
#include "html/xpath/xpath_evaluator.hpp"
#include "html/xpath/xpath_parser.hpp"
#include "html/xpath/xpath_values.hpp"

namespace heddle::html {

XPath::XPath(std::shared_ptr<const XPathProgram> program) : program_(std::move(program)) {}

Result<XPath> XPath::compile(std::string_view expression, const XPathPrefixes& prefixes) {
  auto program = XPathParser(expression, prefixes).parse();
  if (!program) return std::move(program.error());
  return XPath(*std::move(program));
}

const std::string& XPath::text() const {
  return program_->text;
}

bool XPath::returns_nodes() const {
  return program_->expressions[program_->top].type == XPathType::nodes;
}

Result<XPathValue> evaluate(const Document& document, const XPath& xpath, XPathNode context,
                            SelectBudget& budget) {
  XPathEvaluator evaluator(document, xpath.program(), budget);
  XPathValue value = evaluator.evaluate(context);
  if (evaluator.has_steps()) return value;
  return Error{ErrorCode::bad_input, fmt::format("XPath {}: more than {} steps on this page",
                                                 xpath.text(), budget.max_steps)};
}

Result<XPathValue> evaluate(const Document& document, const XPath& xpath,
                            const SelectLimits& limits) {
  SelectBudget budget(limits);
  return evaluate(document, xpath, {Document::root(), 0}, budget);
}

const Attribute& attribute_of(const Document& document, const XPathNode& node) {
  return document.attributes(node.node)[node.part - XPathNode::kAttributes];
}

std::string_view string_value(const Document& document, const XPathNode& node) {
  if (node.is_attribute()) return document.value(attribute_of(document, node));
  if (node.is_namespace()) {
    const auto all = namespaces_in_scope(document, node.node);
    return node.part <= all.size() ? all[node.part - 1].second : std::string_view();
  }
  const NodeKind kind = document.kind(node.node);
  const bool has_data = kind == NodeKind::comment || kind == NodeKind::instruction;
  return has_data ? document.comment(node.node) : document.text(node.node);
}

std::string to_text(const Document& document, const XPathValue& value) {
  if (const auto* nodes = std::get_if<XPathNodes>(&value))
    return nodes->empty() ? std::string() : std::string(string_value(document, nodes->front()));
  if (const auto* number = std::get_if<double>(&value)) return xpath_text(*number);
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  return std::get<std::string>(value);
}

}  // namespace heddle::html
