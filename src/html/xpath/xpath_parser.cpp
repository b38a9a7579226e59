#include "html/xpath/xpath_parser.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include <fmt/format.h>

#include "base/text.hpp"

namespace heddle::html {

namespace {

constexpr std::size_t kMaxBytes = 10'000;
constexpr int kMaxDepth = 60;  // of brackets and calls

struct OperatorRow {
  int level;  // of precedence, lowest first
  std::string_view symbol;
  XPathOperator op;
  XPathType type;
};

constexpr auto kOperators = std::to_array<OperatorRow>({
    {0, "or", XPathOperator::either, XPathType::boolean},
    {1, "and", XPathOperator::both, XPathType::boolean},
    {2, "=", XPathOperator::equal, XPathType::boolean},
    {2, "!=", XPathOperator::different, XPathType::boolean},
    {3, "<", XPathOperator::less, XPathType::boolean},
    {3, "<=", XPathOperator::less_equal, XPathType::boolean},
    {3, ">", XPathOperator::more, XPathType::boolean},
    {3, ">=", XPathOperator::more_equal, XPathType::boolean},
    {4, "+", XPathOperator::plus, XPathType::number},
    {4, "-", XPathOperator::minus, XPathType::number},
    {5, "*", XPathOperator::times, XPathType::number},
    {5, "div", XPathOperator::divide, XPathType::number},
    {5, "mod", XPathOperator::modulo, XPathType::number},
});
constexpr int kLevels = 6;

struct AxisRow {
  std::string_view name;
  XPathAxis axis;
};

constexpr auto kAxes = std::to_array<AxisRow>({
    {"child", XPathAxis::child},
    {"descendant", XPathAxis::descendant},
    {"descendant-or-self", XPathAxis::descendant_or_self},
    {"parent", XPathAxis::parent},
    {"ancestor", XPathAxis::ancestor},
    {"ancestor-or-self", XPathAxis::ancestor_or_self},
    {"following-sibling", XPathAxis::following_sibling},
    {"preceding-sibling", XPathAxis::preceding_sibling},
    {"following", XPathAxis::following},
    {"preceding", XPathAxis::preceding},
    {"attribute", XPathAxis::attribute},
    {"namespace", XPathAxis::namespaces},
    {"self", XPathAxis::self},
});

bool is_node_type(std::string_view name) {
  return name == "node" || name == "text" || name == "comment" || name == "processing-instruction";
}

}  // namespace

Result<std::shared_ptr<const XPathProgram>> XPathParser::parse() {
  if (text_.size() > kMaxBytes) return xpath_error(kMaxBytes, "longer than 10000 bytes");
  if (!is_valid_utf8(text_)) return xpath_error(0, "the text is not UTF-8");
  program_->text = text_;  // tokens refer to it
  auto tokens = xpath_tokens(text_);
  if (!tokens) return std::move(tokens.error());
  tokens_ = *std::move(tokens);
  if (tokens_.size() == 1) return xpath_error(0, "the expression is empty");
  if (parse_binary(0, program_->top) && token().kind != XPathTokenKind::end)
    fail(fmt::format("unexpected \"{}\"", token().text));
  if (!error_.empty()) return Error{ErrorCode::bad_input, std::move(error_)};
  return std::shared_ptr<const XPathProgram>(std::move(program_));
}

bool XPathParser::parse_binary(int level, XPathId& id) {
  if (level == kLevels) return parse_unary(id);
  if (level == 0 && !enter()) return false;
  if (!parse_binary(level + 1, id)) return false;
  while (true) {
    const auto* const row = std::find_if(
        kOperators.begin(), kOperators.end(),
        [&](const OperatorRow& each) { return each.level == level && token().is(each.symbol); });
    if (row == kOperators.end()) break;
    ++next_;
    XPathExpression expression;
    expression.op = row->op;
    expression.type = row->type;
    expression.arguments = {id, kNoXPath};
    if (!parse_binary(level + 1, expression.arguments[1])) return false;
    id = add(std::move(expression));
  }
  if (level == 0) leave();
  return true;
}

bool XPathParser::parse_unary(XPathId& id) {
  bool is_negated = false;
  bool has_sign = false;
  while (skip("-")) {
    is_negated = !is_negated;
    has_sign = true;
  }
  if (!parse_union(id)) return false;
  for (int times = has_sign ? (is_negated ? 1 : 2) : 0; times > 0; --times) {
    XPathExpression negated;
    negated.op = XPathOperator::negate;
    negated.arguments = {id};
    id = add(std::move(negated));
  }
  return true;
}

bool XPathParser::parse_union(XPathId& id) {
  std::size_t begin = token().position;
  if (!parse_path(id)) return false;
  while (token().is("|")) {
    if (!require_nodes(id, begin, "\"|\" joins nodes")) return false;
    ++next_;
    begin = token().position;
    XPathExpression united;
    united.op = XPathOperator::unite;
    united.type = XPathType::nodes;
    united.arguments = {id, kNoXPath};
    if (!parse_path(united.arguments[1])) return false;
    if (!require_nodes(united.arguments[1], begin, "\"|\" joins nodes")) return false;
    id = add(std::move(united));
  }
  return true;
}

bool XPathParser::starts_filter() const {
  const XPathToken& first = token();
  if (first.kind == XPathTokenKind::literal || first.kind == XPathTokenKind::number) return true;
  if (first.is("(") || first.is("$")) return true;
  return first.kind == XPathTokenKind::name && token(1).is("(") && !is_node_type(first.text);
}

bool XPathParser::parse_path(XPathId& id) {
  XPathExpression path;
  path.op = XPathOperator::path;
  path.type = XPathType::nodes;
  if (starts_filter()) {
    const std::size_t begin = token().position;
    if (!parse_filter(id)) return false;
    if (!token().is("/") && !token().is("//")) return true;
    if (!require_nodes(id, begin, "only nodes have a path")) return false;
    path.arguments = {id};
    if (skip("//"))
      add_step(path, {XPathAxis::descendant_or_self, {}, {}, false});
    else
      ++next_;
    if (!parse_steps(path)) return false;
    id = add(std::move(path));
    return true;
  }
  bool needs_step = true;
  if (skip("//")) {
    path.is_absolute = true;
    add_step(path, {XPathAxis::descendant_or_self, {}, {}, false});
  } else if (skip("/")) {
    path.is_absolute = true;
    needs_step = token().kind == XPathTokenKind::name || token().is(".") || token().is("..") ||
                 token().is("@");
  }
  if (needs_step && !parse_steps(path)) return false;
  id = add(std::move(path));
  return true;
}

bool XPathParser::parse_steps(XPathExpression& path) {
  while (true) {
    if (!parse_step(path)) return false;
    if (skip("//"))
      add_step(path, {XPathAxis::descendant_or_self, {}, {}, false});
    else if (!skip("/"))
      return true;
  }
}

bool XPathParser::parse_step(XPathExpression& path) {
  XPathStep step;
  if (skip(".")) {
    step.axis = XPathAxis::self;
  } else if (skip("..")) {
    step.axis = XPathAxis::parent;
  } else {
    if (!parse_axis(step) || !parse_node_test(step)) return false;
    if (!parse_predicates(step.predicates)) return false;
  }
  step.counts = counts(step.predicates);
  add_step(path, std::move(step));
  return true;
}

// "//name" is "/descendant-or-self::node()/child::name", which is the same as "/descendant::name"
// unless a predicate counts among the children.
void XPathParser::add_step(XPathExpression& path, XPathStep&& step) {
  if (!path.steps.empty()) {
    XPathStep& last = path.steps.back();
    const bool follows_all = last.axis == XPathAxis::descendant_or_self &&
                             last.test.kind == NodeTestKind::any && last.predicates.empty();
    if (follows_all && step.axis == XPathAxis::child && !step.counts) {
      step.axis = XPathAxis::descendant;
      last = std::move(step);
      return;
    }
  }
  path.steps.push_back(std::move(step));
}

bool XPathParser::parse_axis(XPathStep& step) {
  if (skip("@")) {
    step.axis = XPathAxis::attribute;
    return true;
  }
  if (token().kind != XPathTokenKind::name || !token(1).is("::")) return true;
  const auto* const row = std::find_if(
      kAxes.begin(), kAxes.end(), [&](const AxisRow& each) { return each.name == token().text; });
  if (row == kAxes.end()) return fail(fmt::format("there is no axis \"{}\"", token().text));
  step.axis = row->axis;
  next_ += 2;
  return true;
}

bool XPathParser::parse_node_test(XPathStep& step) {
  const XPathToken name = token();
  if (name.kind != XPathTokenKind::name)
    return fail(name.kind == XPathTokenKind::end
                    ? std::string("the expression ends where a step is expected")
                    : fmt::format("expected a step, found \"{}\"", name.text));
  if (is_node_type(name.text) && token(1).is("(")) return parse_node_type(step);
  ++next_;
  return set_name(step.test, name, step.axis);
}

bool XPathParser::parse_node_type(XPathStep& step) {
  const std::string_view type = token().text;
  next_ += 2;
  if (type == "text") step.test.kind = NodeTestKind::text;
  if (type == "comment") step.test.kind = NodeTestKind::comment;
  if (type == "processing-instruction") {
    step.test.kind = NodeTestKind::instruction;
    if (token().kind == XPathTokenKind::literal) {
      step.test.name = token().text;
      ++next_;
    }
  }
  return expect(")");
}

bool XPathParser::set_name(NodeTest& test, const XPathToken& token, XPathAxis axis) {
  if (token.text == "*") {
    test.kind = NodeTestKind::all_names;
    return true;
  }
  const std::size_t colon = token.text.find(':');
  test.has_prefix = colon != std::string_view::npos;
  test.name = test.has_prefix ? token.text.substr(colon + 1) : token.text;
  test.kind = test.name == "*" ? NodeTestKind::in_space : NodeTestKind::name;
  test.slot = static_cast<std::uint32_t>(program_->names.size());
  program_->names.emplace_back(token.text);
  if (!test.has_prefix || axis == XPathAxis::namespaces) return true;
  test.prefix = token.text.substr(0, colon);
  const auto declared = prefixes_.find(test.prefix);
  test.has_space = declared != prefixes_.end() || test.prefix == "xml";
  if (test.has_space)
    test.space = declared != prefixes_.end() ? declared->second : std::string(kXmlNamespace);
  return true;
}

bool XPathParser::parse_predicates(std::vector<XPathId>& predicates) {
  while (skip("[")) {
    XPathId id = kNoXPath;
    if (!parse_binary(0, id) || !expect("]")) return false;
    predicates.push_back(id);
  }
  return true;
}

bool XPathParser::parse_filter(XPathId& id) {
  const std::size_t begin = token().position;
  if (!parse_primary(id)) return false;
  if (!token().is("[")) return true;
  if (!require_nodes(id, begin, "only nodes have predicates")) return false;
  XPathExpression filter;
  filter.op = XPathOperator::filter;
  filter.type = XPathType::nodes;
  filter.arguments = {id};
  std::vector<XPathId> predicates;
  if (!parse_predicates(predicates)) return false;
  filter.arguments.insert(filter.arguments.end(), predicates.begin(), predicates.end());
  id = add(std::move(filter));
  return true;
}

bool XPathParser::parse_primary(XPathId& id) {
  if (skip("(")) return parse_binary(0, id) && expect(")");
  if (token().is("$")) return fail("variables are not available");
  if (token().kind == XPathTokenKind::name) return parse_call(id);
  XPathExpression literal;
  if (token().kind == XPathTokenKind::literal) {
    literal.op = XPathOperator::text;
    literal.type = XPathType::text;
    literal.text = token().text;
  } else {
    literal.number = std::strtod(std::string(token().text).c_str(), nullptr);
  }
  ++next_;
  id = add(std::move(literal));
  return true;
}

bool XPathParser::require_nodes(XPathId id, std::size_t position, std::string_view what) {
  return at(id).type == XPathType::nodes || fail_at(position, what);
}

// Whether the value of an expression depends on the position of its context node.
void XPathParser::mark_position(XPathExpression& expression) const {
  const bool is_call = expression.op == XPathOperator::call;
  expression.depends_on_position = is_call && (expression.function == XPathFunction::position ||
                                               expression.function == XPathFunction::last);
  const bool has_inner_context = expression.op == XPathOperator::filter;
  for (std::size_t i = 0; i < expression.arguments.size(); ++i)
    if ((!has_inner_context || i == 0) && at(expression.arguments[i]).depends_on_position)
      expression.depends_on_position = true;
}

bool XPathParser::counts(const std::vector<XPathId>& predicates) const {
  return std::any_of(predicates.begin(), predicates.end(), [this](XPathId id) {
    return at(id).type == XPathType::number || at(id).depends_on_position;
  });
}

XPathId XPathParser::add(XPathExpression&& expression) {
  mark_position(expression);
  program_->expressions.push_back(std::move(expression));
  return static_cast<XPathId>(program_->expressions.size() - 1);
}

bool XPathParser::skip(std::string_view symbol) {
  if (!token().is(symbol)) return false;
  ++next_;
  return true;
}

bool XPathParser::expect(std::string_view symbol) {
  return skip(symbol) || fail(fmt::format("expected \"{}\"", symbol));
}

bool XPathParser::fail_at(std::size_t position, std::string_view message) {
  error_ = xpath_error(position, message).message;
  return false;
}

bool XPathParser::enter() {
  return ++depth_ <= kMaxDepth || fail(fmt::format("nested more than {} levels deep", kMaxDepth));
}

}  // namespace heddle::html
