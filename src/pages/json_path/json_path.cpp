#include "pages/json_path/json_path.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "pages/json_path/json_path_evaluator.hpp"
#include "pages/json_path/json_path_parser.hpp"

namespace heddle::pages {

JsonPath::JsonPath(std::shared_ptr<const JsonPathProgram> program) : program_(std::move(program)) {}

Result<JsonPath> JsonPath::compile(std::string_view query) {
  auto program = JsonPathParser(query).parse();
  if (!program) return std::move(program.error());
  return JsonPath(*std::move(program));
}

const std::string& JsonPath::text() const {
  return program_->text;
}

Status evaluate(const JsonPath& path, const JsonDocument& document, JsonId start,
                std::vector<JsonId>& out, JsonPathBudget& budget) {
  JsonPathEvaluator evaluator(path.program(), document, start, budget);
  const std::vector<JsonId> found = evaluator.select();
  if (evaluator.has_too_many_results())
    return Error{ErrorCode::bad_input,
                 fmt::format("JSONPath {}: more than {} results", path.text(), budget.max_results)};
  if (!evaluator.has_steps())
    return Error{ErrorCode::bad_input, fmt::format("JSONPath {}: more than {} steps on this page",
                                                   path.text(), budget.max_steps)};
  out.insert(out.end(), found.begin(), found.end());
  return Done{};
}

Result<std::vector<JsonId>> evaluate(const JsonPath& path, const JsonDocument& document,
                                     const JsonPathBudget& limits) {
  JsonPathBudget budget = limits;
  std::vector<JsonId> out;
  auto status = evaluate(path, document, JsonDocument::root(), out, budget);
  if (!status) return std::move(status.error());
  return out;
}

namespace {

void append_normalized_name(std::string& out, std::string_view name) {
  constexpr std::string_view kEscaped = "\b\t\n\f\r'\\";
  constexpr std::string_view kLetters = "btnfr'\\";
  for (const char c : name) {
    const std::size_t known = kEscaped.find(c);
    if (known != std::string_view::npos) {
      out += '\\';
      out += kLetters[known];
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
}

std::size_t index_of(const JsonDocument& document, JsonId element) {
  std::size_t index = 0;
  for (JsonId each = document.first_child(document.parent(element)); each != element; ++index)
    each = document.next(each);
  return index;
}

}  // namespace

std::string normalized_path(const JsonDocument& document, JsonId id) {
  std::vector<JsonId> steps;
  for (JsonId each = id; document.parent(each) != kNoJson; each = document.parent(each))
    steps.push_back(each);
  std::reverse(steps.begin(), steps.end());
  std::string out = "$";
  for (const JsonId step : steps) {
    if (document.is_member(step)) {
      out += "['";
      append_normalized_name(out, document.name(step));
      out += "']";
    } else {
      out += fmt::format("[{}]", index_of(document, step));
    }
  }
  return out;
}

}  // namespace heddle::pages
