#include "html/xpath/xpath_evaluator.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "html/xpath/xpath_values.hpp"

namespace heddle::html {

namespace {

constexpr std::size_t kBytesPerStep = 16;

bool is_reverse(XPathAxis axis) {
  return axis == XPathAxis::ancestor || axis == XPathAxis::ancestor_or_self ||
         axis == XPathAxis::preceding || axis == XPathAxis::preceding_sibling;
}

void sort_nodes(XPathNodes& nodes) {
  if (!std::is_sorted(nodes.begin(), nodes.end())) std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
}

bool holds(XPathOperator op, double left, double right) {
  switch (op) {
    case XPathOperator::equal:
      return left == right;
    case XPathOperator::different:
      return left != right;
    case XPathOperator::less:
      return left < right;
    case XPathOperator::less_equal:
      return left <= right;
    case XPathOperator::more:
      return left > right;
    default:
      return left >= right;
  }
}

bool is_equality(XPathOperator op) {
  return op == XPathOperator::equal || op == XPathOperator::different;
}

// left op right is right mirrored(op) left.
XPathOperator mirrored(XPathOperator op) {
  switch (op) {
    case XPathOperator::less:
      return XPathOperator::more;
    case XPathOperator::less_equal:
      return XPathOperator::more_equal;
    case XPathOperator::more:
      return XPathOperator::less;
    case XPathOperator::more_equal:
      return XPathOperator::less_equal;
    default:
      return op;
  }
}

}  // namespace

XPathValue XPathEvaluator::value(XPathId id, const Context& context) {
  const XPathExpression& expression = program_.expressions[id];
  if (!axes_.spend(1)) return false;
  switch (expression.op) {
    case XPathOperator::either:
      return boolean(expression.arguments[0], context) || boolean(expression.arguments[1], context);
    case XPathOperator::both:
      return boolean(expression.arguments[0], context) && boolean(expression.arguments[1], context);
    case XPathOperator::equal:
    case XPathOperator::different:
    case XPathOperator::less:
    case XPathOperator::less_equal:
    case XPathOperator::more:
    case XPathOperator::more_equal:
      return compare(expression, context);
    case XPathOperator::unite:
      return unite(expression, context);
    case XPathOperator::path:
      return path(expression, context);
    case XPathOperator::filter:
      return filter(expression, context);
    case XPathOperator::number:
      return expression.number;
    case XPathOperator::text:
      return expression.text;
    case XPathOperator::call:
      return call(expression, context);
    default:
      return arithmetic(expression, context);
  }
}

XPathNodes XPathEvaluator::nodes(XPathId id, const Context& context) {
  XPathValue found = value(id, context);
  auto* list = std::get_if<XPathNodes>(&found);
  return list == nullptr ? XPathNodes() : std::move(*list);
}

double XPathEvaluator::number(XPathId id, const Context& context) {
  return number_of(value(id, context));
}

std::string XPathEvaluator::text(XPathId id, const Context& context) {
  return text_of(value(id, context));
}

bool XPathEvaluator::boolean(XPathId id, const Context& context) {
  return boolean_of(value(id, context));
}

std::string_view XPathEvaluator::text_of(const XPathNode& node) {
  const std::string_view found = string_value(document_, node);
  return axes_.spend(found.size() / kBytesPerStep) ? found : std::string_view();
}

double XPathEvaluator::number_of(const XPathValue& value) {
  if (const auto* plain = std::get_if<double>(&value)) return *plain;
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? 1 : 0;
  return xpath_number(text_of(value));
}

std::string XPathEvaluator::text_of(const XPathValue& value) {
  if (const auto* list = std::get_if<XPathNodes>(&value))
    return list->empty() ? std::string() : std::string(text_of(list->front()));
  return to_text(document_, value);
}

bool XPathEvaluator::boolean_of(const XPathValue& value) {
  if (const auto* list = std::get_if<XPathNodes>(&value)) return !list->empty();
  if (const auto* plain = std::get_if<double>(&value)) return *plain != 0 && !std::isnan(*plain);
  if (const auto* words = std::get_if<std::string>(&value)) return !words->empty();
  return std::get<bool>(value);
}

XPathNodes XPathEvaluator::path(const XPathExpression& expression, const Context& context) {
  XPathNodes current{context.node};
  if (!expression.arguments.empty())
    current = nodes(expression.arguments[0], context);
  else if (expression.is_absolute)
    current = {{Document::root(), 0}};
  for (const XPathStep& step : expression.steps) {
    if (current.empty() || !has_steps()) break;
    current = apply(step, current);
  }
  return current;
}

XPathNodes XPathEvaluator::apply(const XPathStep& step, const XPathNodes& contexts) {
  const bool covers_subtrees = !step.counts && (step.axis == XPathAxis::descendant ||
                                                step.axis == XPathAxis::descendant_or_self);
  NodeId covered = 0;  // the descendants before it are found already
  XPathNodes found;
  XPathNodes candidates;
  for (const XPathNode& context : contexts) {
    if (covers_subtrees && context.is_whole()) {
      if (context.node < covered && context.node > 0) continue;
      covered = document_.subtree_end(context.node);
    }
    candidates.clear();
    axes_.collect(step, context, candidates);
    for (const XPathId predicate : step.predicates) keep_accepted(predicate, candidates);
    if (is_reverse(step.axis)) std::reverse(candidates.begin(), candidates.end());
    found.insert(found.end(), candidates.begin(), candidates.end());
    if (!has_steps()) break;
  }
  sort_nodes(found);
  return found;
}

void XPathEvaluator::keep_accepted(XPathId predicate, XPathNodes& candidates) {
  const XPathExpression& expression = program_.expressions[predicate];
  if (expression.op == XPathOperator::number) {  // [3]
    const double wanted = expression.number;
    const bool is_there = wanted >= 1 && wanted <= static_cast<double>(candidates.size()) &&
                          wanted == std::floor(wanted);
    if (is_there) candidates[0] = candidates[static_cast<std::size_t>(wanted) - 1];
    return candidates.resize(is_there ? 1 : 0);
  }
  const std::size_t size = candidates.size();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < size && has_steps(); ++i) {
    const XPathValue result = value(predicate, {candidates[i], i + 1, size});
    const auto* position = std::get_if<double>(&result);
    const bool is_accepted =
        position != nullptr ? *position == static_cast<double>(i + 1) : boolean_of(result);
    if (is_accepted) candidates[kept++] = candidates[i];
  }
  candidates.resize(kept);
}

XPathNodes XPathEvaluator::filter(const XPathExpression& expression, const Context& context) {
  XPathNodes candidates = nodes(expression.arguments[0], context);
  for (std::size_t i = 1; i < expression.arguments.size(); ++i)
    keep_accepted(expression.arguments[i], candidates);
  return candidates;
}

XPathNodes XPathEvaluator::unite(const XPathExpression& expression, const Context& context) {
  XPathNodes found = nodes(expression.arguments[0], context);
  const XPathNodes more = nodes(expression.arguments[1], context);
  found.insert(found.end(), more.begin(), more.end());
  sort_nodes(found);
  return found;
}

double XPathEvaluator::arithmetic(const XPathExpression& expression, const Context& context) {
  const double left = number(expression.arguments[0], context);
  if (expression.op == XPathOperator::negate) return -left;
  const double right = number(expression.arguments[1], context);
  switch (expression.op) {
    case XPathOperator::plus:
      return left + right;
    case XPathOperator::minus:
      return left - right;
    case XPathOperator::times:
      return left * right;
    case XPathOperator::divide:
      return left / right;
    default:
      return std::fmod(left, right);
  }
}

bool XPathEvaluator::compare(const XPathExpression& expression, const Context& context) {
  const XPathValue left = value(expression.arguments[0], context);
  const XPathValue right = value(expression.arguments[1], context);
  const auto* left_nodes = std::get_if<XPathNodes>(&left);
  const auto* right_nodes = std::get_if<XPathNodes>(&right);
  if (left_nodes != nullptr && right_nodes != nullptr)
    return compare_nodes(expression.op, *left_nodes, *right_nodes);
  if (left_nodes != nullptr) return compare_with(expression.op, *left_nodes, right);
  if (right_nodes != nullptr) return compare_with(mirrored(expression.op), *right_nodes, left);
  return compare_values(expression.op, left, right);
}

bool XPathEvaluator::compare_values(XPathOperator op, const XPathValue& left,
                                    const XPathValue& right) {
  if (!is_equality(op)) return holds(op, number_of(left), number_of(right));
  const bool wants_equal = op == XPathOperator::equal;
  if (std::holds_alternative<bool>(left) || std::holds_alternative<bool>(right))
    return (boolean_of(left) == boolean_of(right)) == wants_equal;
  if (std::holds_alternative<double>(left) || std::holds_alternative<double>(right))
    return holds(op, number_of(left), number_of(right));
  return (std::get<std::string>(left) == std::get<std::string>(right)) == wants_equal;
}

// Whether any node compares so with the value.
bool XPathEvaluator::compare_with(XPathOperator op, const XPathNodes& nodes,
                                  const XPathValue& other) {
  if (std::holds_alternative<bool>(other)) return compare_values(op, !nodes.empty(), other);
  const auto* words = std::get_if<std::string>(&other);
  const bool compares_texts = words != nullptr && is_equality(op);
  const double plain = compares_texts ? 0 : number_of(other);
  return std::any_of(nodes.begin(), nodes.end(), [&](const XPathNode& node) {
    if (!axes_.spend(1)) return false;
    const std::string_view found = text_of(node);
    if (compares_texts) return (found == *words) == (op == XPathOperator::equal);
    return holds(op, xpath_number(found), plain);
  });
}

// Whether any node of one list compares so with any of the other, without trying all pairs.
bool XPathEvaluator::compare_nodes(XPathOperator op, const XPathNodes& left,
                                   const XPathNodes& right) {
  if (left.empty() || right.empty() || !axes_.spend(left.size() + right.size())) return false;
  if (is_equality(op)) {
    std::unordered_set<std::string_view> texts;
    for (const XPathNode& node : right) texts.insert(text_of(node));
    const bool wants_equal = op == XPathOperator::equal;
    return std::any_of(left.begin(), left.end(), [&](const XPathNode& node) {
      const bool is_among = texts.count(text_of(node)) != 0;
      return wants_equal ? is_among : !is_among || texts.size() > 1;
    });
  }
  double least = std::nan("");
  double most = least;
  for (const XPathNode& node : right) {
    const double each = xpath_number(text_of(node));
    least = std::fmin(least, each);
    most = std::fmax(most, each);
  }
  const bool needs_most = op == XPathOperator::less || op == XPathOperator::less_equal;
  return std::any_of(left.begin(), left.end(), [&](const XPathNode& node) {
    return holds(op, xpath_number(text_of(node)), needs_most ? most : least);
  });
}

}  // namespace heddle::html
