// The part of XPathParser that reads function calls.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.hpp"
#include "html/xpath/xpath_parser.hpp"

namespace heddle::html {

namespace {

struct XPathFunctionRow {
  std::string_view name;
  XPathFunction function;
  std::size_t least;  // arguments
  std::size_t most;
  XPathType type;
  bool takes_nodes = false;  // its first argument, if it has one
};

constexpr std::size_t kMany = 1'000;

constexpr auto kFunctions = std::to_array<XPathFunctionRow>({
    {"last", XPathFunction::last, 0, 0, XPathType::number},
    {"position", XPathFunction::position, 0, 0, XPathType::number},
    {"count", XPathFunction::count, 1, 1, XPathType::number, true},
    {"id", XPathFunction::id, 1, 1, XPathType::nodes},
    {"local-name", XPathFunction::local_name, 0, 1, XPathType::text, true},
    {"namespace-uri", XPathFunction::namespace_uri, 0, 1, XPathType::text, true},
    {"name", XPathFunction::name, 0, 1, XPathType::text, true},
    {"string", XPathFunction::string, 0, 1, XPathType::text},
    {"concat", XPathFunction::concat, 2, kMany, XPathType::text},
    {"starts-with", XPathFunction::starts_with, 2, 2, XPathType::boolean},
    {"contains", XPathFunction::contains, 2, 2, XPathType::boolean},
    {"substring-before", XPathFunction::substring_before, 2, 2, XPathType::text},
    {"substring-after", XPathFunction::substring_after, 2, 2, XPathType::text},
    {"substring", XPathFunction::substring, 2, 3, XPathType::text},
    {"string-length", XPathFunction::string_length, 0, 1, XPathType::number},
    {"normalize-space", XPathFunction::normalize_space, 0, 1, XPathType::text},
    {"translate", XPathFunction::translate, 3, 3, XPathType::text},
    {"boolean", XPathFunction::boolean, 1, 1, XPathType::boolean},
    {"not", XPathFunction::negation, 1, 1, XPathType::boolean},
    {"true", XPathFunction::truth, 0, 0, XPathType::boolean},
    {"false", XPathFunction::falsehood, 0, 0, XPathType::boolean},
    {"lang", XPathFunction::lang, 1, 1, XPathType::boolean},
    {"number", XPathFunction::number, 0, 1, XPathType::number},
    {"sum", XPathFunction::sum, 1, 1, XPathType::number, true},
    {"floor", XPathFunction::floor, 1, 1, XPathType::number},
    {"ceiling", XPathFunction::ceiling, 1, 1, XPathType::number},
    {"round", XPathFunction::round, 1, 1, XPathType::number},
});

std::string no_such_function(std::string_view name) {
  std::array<std::string_view, kFunctions.size()> names;
  std::transform(kFunctions.begin(), kFunctions.end(), names.begin(),
                 [](const XPathFunctionRow& row) { return row.name; });
  const auto nearest = nearest_name(name, names);
  return fmt::format("there is no function {}(){}", name,
                     nearest ? fmt::format(", did you mean {}()?", *nearest) : "");
}

std::string wrong_count(const XPathFunctionRow& row) {
  if (row.most == kMany) return fmt::format("{}() takes {} or more arguments", row.name, row.least);
  const std::string count = row.least == row.most ? std::to_string(row.least)
                                                  : fmt::format("{} or {}", row.least, row.most);
  return fmt::format("{}() takes {} argument{}", row.name, count, row.most == 1 ? "" : "s");
}

}  // namespace

bool XPathParser::parse_call(XPathId& id) {
  const XPathToken name = token();
  next_ += 2;
  XPathExpression call;
  call.op = XPathOperator::call;
  if (!skip(")")) {
    do {
      if (!parse_binary(0, call.arguments.emplace_back(kNoXPath))) return false;
    } while (skip(","));
    if (!expect(")")) return false;
  }
  if (!check_call(call, name)) return false;
  id = add(std::move(call));
  return true;
}

bool XPathParser::check_call(XPathExpression& call, const XPathToken& name) {
  const auto* const row =
      std::find_if(kFunctions.begin(), kFunctions.end(),
                   [&](const XPathFunctionRow& each) { return each.name == name.text; });
  if (row == kFunctions.end()) return fail_at(name.position, no_such_function(name.text));
  const std::size_t given = call.arguments.size();
  if (given < row->least || given > row->most) return fail_at(name.position, wrong_count(*row));
  if (row->takes_nodes && given > 0 &&
      !require_nodes(call.arguments[0], name.position, fmt::format("{}() takes nodes", row->name)))
    return false;
  call.function = row->function;
  call.type = row->type;
  return true;
}

}  // namespace heddle::html
