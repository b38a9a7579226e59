#include "pages/json_path/json_path_evaluator.hpp"

#include <algorithm>

#include <re2/re2.h>

#include "pages/json_path/i_regexp.hpp"

namespace heddle::pages {

namespace {

constexpr std::size_t kBytesPerStep = 16;
constexpr std::size_t kMaxPatterns = 64;
constexpr std::size_t kStepsPerPattern = 2'000;  // compiling one

std::size_t count_characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80;
  }));
}

}  // namespace

bool JsonPathEvaluator::spend(std::size_t steps) {
  budget_.steps_left -= std::min(budget_.steps_left, steps);
  return budget_.steps_left > 0;
}

void JsonPathEvaluator::add(JsonId node, std::vector<JsonId>& out) {
  if (out.size() >= budget_.max_results) {
    has_too_many_results_ = true;
    budget_.steps_left = 0;
  } else {
    out.push_back(node);
  }
}

std::vector<JsonId> JsonPathEvaluator::select(const PathQuery& query, JsonId current) {
  std::vector<JsonId> nodes{query.is_relative ? current : start_};
  std::vector<JsonId> found;
  for (const PathSegment& segment : query.segments) {
    found.clear();
    for (const JsonId node : nodes) apply(segment, node, found);
    nodes.swap(found);
    if (nodes.empty() || !has_steps()) break;
  }
  return nodes;
}

void JsonPathEvaluator::apply(const PathSegment& segment, JsonId node, std::vector<JsonId>& out) {
  const JsonId end = segment.is_descendant ? document_.subtree_end(node) : node + 1;
  for (JsonId each = node; each < end;) {
    if (!spend(1)) return;
    if (each != node && document_.is_replaced(each)) {
      each = document_.subtree_end(each);
      continue;
    }
    if (document_.is_container(each))
      for (const PathSelector& selector : segment.selectors) apply(selector, each, out);
    ++each;
  }
}

void JsonPathEvaluator::apply(const PathSelector& selector, JsonId node, std::vector<JsonId>& out) {
  switch (selector.kind) {
    case PathSelectorKind::name: {
      if (!spend(1 + document_.child_count(node) / 4)) return;
      const JsonId member = document_.member(node, selector.name);
      if (member != kNoJson) add(member, out);
      return;
    }
    case PathSelectorKind::index:
      return apply_index(selector, node, out);
    case PathSelectorKind::slice:
      return apply_slice(selector, node, out);
    case PathSelectorKind::wildcard:
    case PathSelectorKind::filter:
      break;
  }
  for (JsonId child = document_.first_child(node); child != kNoJson;
       child = document_.next(child)) {
    if (!spend(1)) return;
    if (selector.kind == PathSelectorKind::wildcard || holds(selector.filter, child))
      add(child, out);
  }
}

void JsonPathEvaluator::apply_index(const PathSelector& selector, JsonId node,
                                    std::vector<JsonId>& out) {
  if (document_.kind(node) != JsonKind::array) return;
  const auto count = static_cast<std::int64_t>(document_.child_count(node));
  const std::int64_t index = *selector.start < 0 ? count + *selector.start : *selector.start;
  if (index < 0 || index >= count) return;
  if (!spend(1 + static_cast<std::size_t>(index) / 4)) return;
  add(document_.element(node, static_cast<std::size_t>(index)), out);
}

void JsonPathEvaluator::apply_slice(const PathSelector& selector, JsonId node,
                                    std::vector<JsonId>& out) {
  if (document_.kind(node) != JsonKind::array || selector.step == 0) return;
  const auto count = static_cast<std::int64_t>(document_.child_count(node));
  const std::int64_t step = selector.step;
  const auto bound = [&](std::optional<std::int64_t> given, std::int64_t otherwise) {
    const std::int64_t least = step > 0 ? 0 : -1;
    const std::int64_t most = step > 0 ? count : count - 1;
    if (!given) return otherwise;
    return std::clamp(*given < 0 ? count + *given : *given, least, most);
  };
  const std::int64_t begin = bound(selector.start, step > 0 ? 0 : count - 1);
  const std::int64_t end = bound(selector.end, step > 0 ? count : -1);
  std::vector<JsonId> elements;
  if (!spend(1 + static_cast<std::size_t>(count))) return;
  for (JsonId child = document_.first_child(node); child != kNoJson; child = document_.next(child))
    elements.push_back(child);
  for (std::int64_t at = begin; step > 0 ? at < end : at > end;) {
    add(elements[static_cast<std::size_t>(at)], out);
    // The step may be as large as the limits of integers allow.
    if (step > 0 ? step >= end - at : step <= end - at) break;
    at += step;
  }
}

bool JsonPathEvaluator::holds(FilterId id, JsonId current) {
  if (!spend(1)) return false;
  const FilterExpression& expression = program_.filters[id];
  const auto& arguments = expression.arguments;
  const auto test = [&](FilterId each) { return holds(each, current); };
  switch (expression.kind) {
    case FilterKind::either:
      return std::any_of(arguments.begin(), arguments.end(), test);
    case FilterKind::both:
      return std::all_of(arguments.begin(), arguments.end(), test);
    case FilterKind::negated:
      return !test(arguments[0]);
    case FilterKind::exists:
      return !select(expression.query, current).empty();
    case FilterKind::compared: {
      const Operand left = operand(arguments[0], current);
      return compare(expression.comparison, left, operand(arguments[1], current));
    }
    default:
      return call_test(expression, current);
  }
}

JsonPathEvaluator::Operand JsonPathEvaluator::operand(FilterId id, JsonId current) {
  const FilterExpression& expression = program_.filters[id];
  Operand out;
  switch (expression.kind) {
    case FilterKind::query:
      return singular_value(expression.query, current);
    case FilterKind::call:
      return call_value(expression, current);
    case FilterKind::number:
      out.kind = Operand::Kind::number;
      out.number = expression.number;
      return out;
    case FilterKind::text:
      out.kind = Operand::Kind::text;
      out.text = expression.text;
      return out;
    case FilterKind::boolean:
      out.kind = Operand::Kind::boolean;
      out.flag = expression.flag;
      return out;
    default:
      out.kind = Operand::Kind::null;
      return out;
  }
}

// Without lists: most filters read one member of the current value.
JsonPathEvaluator::Operand JsonPathEvaluator::singular_value(const PathQuery& query,
                                                             JsonId current) {
  JsonId node = query.is_relative ? current : start_;
  std::vector<JsonId> found;
  for (const PathSegment& segment : query.segments) {
    found.clear();
    apply(segment.selectors[0], node, found);
    if (found.empty()) return {};
    node = found[0];
  }
  Operand out;
  out.kind = Operand::Kind::node;
  out.node = node;
  return resolve(out);
}

JsonPathEvaluator::Operand JsonPathEvaluator::resolve(const Operand& operand) const {
  if (operand.kind != Operand::Kind::node) return operand;
  Operand out = operand;
  switch (document_.kind(operand.node)) {
    case JsonKind::null:
      out.kind = Operand::Kind::null;
      break;
    case JsonKind::boolean:
      out.kind = Operand::Kind::boolean;
      out.flag = document_.boolean(operand.node);
      break;
    case JsonKind::number:
      out.kind = Operand::Kind::number;
      out.number = document_.number(operand.node);
      break;
    case JsonKind::string:
      out.kind = Operand::Kind::text;
      out.text = document_.text(operand.node);
      break;
    default:
      break;
  }
  return out;
}

JsonPathEvaluator::Operand JsonPathEvaluator::call_value(const FilterExpression& call,
                                                         JsonId current) {
  const FilterExpression& argument = program_.filters[call.arguments[0]];
  Operand out;
  out.kind = Operand::Kind::number;
  if (call.function == PathFunction::length) {
    const Operand value = operand(call.arguments[0], current);
    if (value.kind == Operand::Kind::text) {
      spend(value.text.size() / kBytesPerStep);
      out.number = static_cast<double>(count_characters(value.text));
    } else if (value.kind == Operand::Kind::node) {
      out.number = static_cast<double>(document_.child_count(value.node));
    } else {
      return {};
    }
    return out;
  }
  const std::vector<JsonId> nodes = select(argument.query, current);
  if (call.function == PathFunction::count) {
    out.number = static_cast<double>(nodes.size());
    return out;
  }
  if (nodes.size() != 1) return {};
  out.kind = Operand::Kind::node;
  out.node = nodes[0];
  return resolve(out);
}

bool JsonPathEvaluator::call_test(const FilterExpression& call, JsonId current) {
  const Operand text = operand(call.arguments[0], current);
  const Operand pattern = operand(call.arguments[1], current);
  if (text.kind != Operand::Kind::text || pattern.kind != Operand::Kind::text) return false;
  return matches(call, text.text, pattern.text);
}

bool JsonPathEvaluator::matches(const FilterExpression& call, std::string_view text,
                                std::string_view pattern) {
  const re2::RE2* regex = call.pattern.get();
  if (!call.has_fixed_pattern) {
    auto known = patterns_.find(pattern);
    if (known == patterns_.end()) {
      if (!spend(kStepsPerPattern)) return false;
      if (patterns_.size() >= kMaxPatterns) patterns_.clear();
      known = patterns_.emplace(pattern, compile_i_regexp(pattern)).first;
    }
    regex = known->second.get();
  }
  if (regex == nullptr || !spend(1 + text.size() / kBytesPerStep)) return false;
  const auto anchor =
      call.function == PathFunction::match ? re2::RE2::ANCHOR_BOTH : re2::RE2::UNANCHORED;
  return regex->Match(re2::StringPiece(text.data(), text.size()), 0, text.size(), anchor, nullptr,
                      0);
}

bool JsonPathEvaluator::compare(PathComparison comparison, const Operand& left,
                                const Operand& right) {
  switch (comparison) {
    case PathComparison::equal:
      return are_equal(left, right);
    case PathComparison::different:
      return !are_equal(left, right);
    case PathComparison::less:
      return is_less(left, right);
    case PathComparison::more:
      return is_less(right, left);
    case PathComparison::less_equal:
      return is_less(left, right) || are_equal(left, right);
    case PathComparison::more_equal:
      return is_less(right, left) || are_equal(left, right);
  }
  return false;
}

bool JsonPathEvaluator::are_equal(const Operand& left, const Operand& right) {
  if (left.kind != right.kind) return false;
  switch (left.kind) {
    case Operand::Kind::number:
      return left.number == right.number;
    case Operand::Kind::text:
      spend(left.text.size() / kBytesPerStep);
      return left.text == right.text;
    case Operand::Kind::boolean:
      return left.flag == right.flag;
    case Operand::Kind::node:
      return are_equal(left.node, right.node);
    default:
      return true;
  }
}

// Recursion is as deep as the document, which has a limit.
bool JsonPathEvaluator::are_equal(JsonId left, JsonId right) {
  if (!spend(1) || document_.kind(left) != document_.kind(right)) return false;
  if (left == right) return true;
  if (document_.is_container(left)) return have_equal_children(left, right);
  Operand a;
  a.kind = Operand::Kind::node;
  a.node = left;
  Operand b = a;
  b.node = right;
  return are_equal(resolve(a), resolve(b));
}

bool JsonPathEvaluator::have_equal_children(JsonId left, JsonId right) {
  if (document_.child_count(left) != document_.child_count(right)) return false;
  const bool is_object = document_.kind(left) == JsonKind::object;
  JsonId other = document_.first_child(right);
  for (JsonId child = document_.first_child(left); child != kNoJson;
       child = document_.next(child)) {
    if (is_object) {
      if (!spend(1 + document_.child_count(right) / 4)) return false;
      other = document_.member(right, document_.name(child));
    }
    if (other == kNoJson || !are_equal(child, other)) return false;
    if (!is_object) other = document_.next(other);
  }
  return true;
}

bool JsonPathEvaluator::is_less(const Operand& left, const Operand& right) {
  if (left.kind != right.kind) return false;
  if (left.kind == Operand::Kind::number) return left.number < right.number;
  if (left.kind != Operand::Kind::text) return false;
  spend(left.text.size() / kBytesPerStep);
  return left.text < right.text;  // UTF-8 sorts like its code points
}

}  // namespace heddle::pages
