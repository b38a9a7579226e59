// The part of JsonPathParser that reads filters: logical expressions, comparisons, function calls.
#include <array>
#include <charconv>

#include <fmt/format.h>
#include <re2/re2.h>

#include "base/quantity.hpp"
#include "pages/json_path/i_regexp.hpp"
#include "pages/json_path/json_path_parser.hpp"

namespace heddle::pages {

namespace {

struct FunctionRow {
  std::string_view name;
  PathFunction function;
  std::size_t arguments;
  bool takes_nodes;  // otherwise values
  bool is_a_test;    // otherwise its result is a value
};

constexpr auto kFunctions = std::to_array<FunctionRow>({
    {"length", PathFunction::length, 1, false, false},
    {"count", PathFunction::count, 1, true, false},
    {"match", PathFunction::match, 2, false, true},
    {"search", PathFunction::search, 2, false, true},
    {"value", PathFunction::value, 1, true, false},
});

const FunctionRow& row_of(PathFunction function) {
  for (const FunctionRow& row : kFunctions)
    if (row.function == function) return row;
  return kFunctions.front();
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}

}  // namespace

bool JsonPathParser::parse_either(FilterId& id) {
  if (!enter()) return false;
  if (!parse_both(id)) return false;
  FilterExpression either;
  either.kind = FilterKind::either;
  while (true) {
    const std::size_t end = at_;
    skip_space();
    if (!skip("||")) {
      at_ = end;
      break;
    }
    skip_space();
    if (either.arguments.empty()) either.arguments.push_back(id);
    if (!parse_both(id)) return false;
    either.arguments.push_back(id);
  }
  if (!either.arguments.empty()) id = add(std::move(either));
  leave();
  return true;
}

bool JsonPathParser::parse_both(FilterId& id) {
  if (!parse_test(id)) return false;
  FilterExpression both;
  both.kind = FilterKind::both;
  while (true) {
    const std::size_t end = at_;
    skip_space();
    if (!skip("&&")) {
      at_ = end;
      break;
    }
    skip_space();
    if (both.arguments.empty()) both.arguments.push_back(id);
    if (!parse_test(id)) return false;
    both.arguments.push_back(id);
  }
  if (!both.arguments.empty()) id = add(std::move(both));
  return true;
}

bool JsonPathParser::parse_test(FilterId& id) {
  const bool is_negated = skip("!");
  if (is_negated) skip_space();
  if (peek() == '(') {
    if (!parse_group(id)) return false;
  } else {
    const std::size_t begin = at_;
    FilterExpression operand;
    ValueType type = ValueType::value;
    if (!parse_operand(operand, type)) return false;
    const std::size_t end = at_;
    skip_space();
    PathComparison comparison{};
    const std::size_t sign = at_;
    const bool is_compared = read_comparison(comparison);
    at_ = is_compared ? sign : end;
    if (is_compared) {
      if (is_negated) return fail("\"!\" before a comparison: put the comparison in parentheses");
      return parse_comparison(std::move(operand), type, begin, id);
    }
    if (type == ValueType::value)
      return fail_at(begin, operand.kind == FilterKind::call
                                ? fmt::format("the result of {}() must be compared",
                                              row_of(operand.function).name)
                                : "a value must be compared");
    if (operand.kind == FilterKind::query) operand.kind = FilterKind::exists;
    id = add(std::move(operand));
  }
  if (!is_negated) return true;
  FilterExpression negated;
  negated.kind = FilterKind::negated;
  negated.arguments = {id};
  id = add(std::move(negated));
  return true;
}

bool JsonPathParser::parse_group(FilterId& id) {
  ++at_;
  skip_space();
  if (!parse_either(id)) return false;
  skip_space();
  return skip(")") || fail("expected \")\"");
}

// A query has the type `nodes`; a singular one may be used as a value, too.
bool JsonPathParser::parse_operand(FilterExpression& out, ValueType& type) {
  if (peek() == '@' || peek() == '$') {
    out.kind = FilterKind::query;
    type = ValueType::nodes;
    return parse_query(out.query);
  }
  type = ValueType::value;
  if (is_lower(peek())) {
    std::size_t length = 0;
    while (is_lower(peek(length)) || is_digit(peek(length)) || peek(length) == '_') ++length;
    if (peek(length) == '(') return parse_call(out, type);
  }
  return parse_literal(out);
}

bool JsonPathParser::check_value(const FilterExpression& operand, ValueType type,
                                 std::size_t begin) {
  if (type == ValueType::value) return true;
  if (type == ValueType::nodes)
    return operand.query.is_singular() ||
           fail_at(begin, "a query that can select several values is not a single value");
  return fail_at(begin, fmt::format("the result of {}() is not a single value",
                                    row_of(operand.function).name));
}

bool JsonPathParser::parse_comparison(FilterExpression&& left, ValueType type, std::size_t begin,
                                      FilterId& id) {
  FilterExpression compared;
  compared.kind = FilterKind::compared;
  read_comparison(compared.comparison);
  skip_space();
  const std::size_t begin_right = at_;
  FilterExpression right;
  ValueType right_type = ValueType::value;
  if (!parse_operand(right, right_type)) return false;
  if (!check_value(left, type, begin) || !check_value(right, right_type, begin_right)) return false;
  compared.arguments = {add(std::move(left)), 0};
  compared.arguments[1] = add(std::move(right));
  id = add(std::move(compared));
  return true;
}

bool JsonPathParser::parse_call(FilterExpression& out, ValueType& type) {
  const std::size_t begin = at_;
  while (peek() != '(') ++at_;
  const std::string_view name = text_.substr(begin, at_ - begin);
  const FunctionRow* found = nullptr;
  for (const FunctionRow& row : kFunctions)
    if (row.name == name) found = &row;
  if (found == nullptr)
    return fail_at(begin, fmt::format("there is no function {}(): there are length, count, match, "
                                      "search and value",
                                      name));
  out.kind = FilterKind::call;
  out.function = found->function;
  type = found->is_a_test ? ValueType::logical : ValueType::value;
  if (!enter() || !parse_arguments(out)) return false;
  leave();
  if (out.arguments.size() != found->arguments)
    return fail_at(begin,
                   fmt::format("{}() takes {}", name, counted(found->arguments, "argument")));
  if (!found->is_a_test) return true;
  const FilterExpression& pattern = program_->filters[out.arguments[1]];
  out.has_fixed_pattern = pattern.kind == FilterKind::text;
  if (out.has_fixed_pattern) out.pattern = compile_i_regexp(pattern.text);
  return true;
}

bool JsonPathParser::parse_arguments(FilterExpression& call) {
  ++at_;
  skip_space();
  if (skip(")")) return true;
  do {
    skip_space();
    const std::size_t begin = at_;
    FilterExpression argument;
    ValueType type = ValueType::value;
    if (!parse_operand(argument, type)) return false;
    if (!check_argument(call, argument, type, begin)) return false;
    call.arguments.push_back(add(std::move(argument)));
    skip_space();
  } while (skip(","));
  return skip(")") || fail("expected \",\" or \")\"");
}

bool JsonPathParser::check_argument(const FilterExpression& call, const FilterExpression& argument,
                                    ValueType type, std::size_t begin) {
  if (!row_of(call.function).takes_nodes) return check_value(argument, type, begin);
  return type == ValueType::nodes ||
         fail_at(begin, fmt::format("{}() takes a query", row_of(call.function).name));
}

bool JsonPathParser::parse_literal(FilterExpression& out) {
  if (peek() == '"' || peek() == '\'') {
    out.kind = FilterKind::text;
    return parse_string(out.text);
  }
  if (peek() == '-' || is_digit(peek())) return parse_number(out);
  const bool is_true = skip("true");
  if (is_true || skip("false")) {
    out.kind = FilterKind::boolean;
    out.flag = is_true;
    return true;
  }
  if (skip("null")) return true;
  return fail("expected a query, a function or a value");
}

bool JsonPathParser::parse_number(FilterExpression& out) {
  const std::size_t begin = at_;
  const auto skip_digits = [this] {
    const std::size_t first = at_;
    while (is_digit(peek())) ++at_;
    return at_ > first;
  };
  skip("-");
  if (peek() == '0' && is_digit(peek(1))) return fail("a number must not begin with 0");
  if (!skip_digits()) return fail("expected a digit");
  if (skip(".") && !skip_digits()) return fail("expected a digit after \".\"");
  if (skip("e") || skip("E")) {
    if (!skip("-")) skip("+");
    if (!skip_digits()) return fail("expected a digit in the exponent");
  }
  out.kind = FilterKind::number;
  const std::string digits(text_.substr(begin, at_ - begin));
  out.number = std::strtod(digits.c_str(), nullptr);
  return true;
}

bool JsonPathParser::read_comparison(PathComparison& out) {
  constexpr std::array<std::pair<std::string_view, PathComparison>, 6> kSigns{{
      {"==", PathComparison::equal},
      {"!=", PathComparison::different},
      {"<=", PathComparison::less_equal},
      {">=", PathComparison::more_equal},
      {"<", PathComparison::less},
      {">", PathComparison::more},
  }};
  for (const auto& [sign, comparison] : kSigns) {
    if (!skip(sign)) continue;
    out = comparison;
    return true;
  }
  return false;
}

}  // namespace heddle::pages
