// JsonPathEvaluator evaluates one compiled query on one document. Exists for one evaluation. Not
// thread-safe.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pages/json_path/json_path.hpp"
#include "pages/json_path/json_path_program.hpp"

namespace heddle::pages {

class JsonPathEvaluator {
 public:
  JsonPathEvaluator(const JsonPathProgram& program, const JsonDocument& document, JsonId start,
                    JsonPathBudget& budget)
      : program_(program), document_(document), start_(start), budget_(budget) {}

  // Stops early when the budget is used up: see is_exhausted().
  std::vector<JsonId> select() { return select(program_.query, start_); }
  [[nodiscard]] bool has_steps() const { return budget_.steps_left > 0; }
  [[nodiscard]] bool has_too_many_results() const { return has_too_many_results_; }

 private:
  // The value of an operand: a value of the document, or one of its own.
  struct Operand {
    enum class Kind : std::uint8_t { nothing, node, number, text, boolean, null };
    Kind kind = Kind::nothing;
    JsonId node = kNoJson;
    double number = 0;
    std::string_view text;
    bool flag = false;
  };

  std::vector<JsonId> select(const PathQuery& query, JsonId current);
  void apply(const PathSegment& segment, JsonId node, std::vector<JsonId>& out);
  void apply(const PathSelector& selector, JsonId node, std::vector<JsonId>& out);
  void apply_index(const PathSelector& selector, JsonId node, std::vector<JsonId>& out);
  void apply_slice(const PathSelector& selector, JsonId node, std::vector<JsonId>& out);
  void add(JsonId node, std::vector<JsonId>& out);
  bool spend(std::size_t steps);

  bool holds(FilterId id, JsonId current);
  Operand operand(FilterId id, JsonId current);
  Operand singular_value(const PathQuery& query, JsonId current);
  Operand call_value(const FilterExpression& call, JsonId current);
  bool call_test(const FilterExpression& call, JsonId current);
  bool matches(const FilterExpression& call, std::string_view text, std::string_view pattern);

  bool compare(PathComparison comparison, const Operand& left, const Operand& right);
  bool are_equal(const Operand& left, const Operand& right);
  bool are_equal(JsonId left, JsonId right);
  bool have_equal_children(JsonId left, JsonId right);
  bool is_less(const Operand& left, const Operand& right);
  // A leaf of the document as a value of its own; containers stay what they are.
  [[nodiscard]] Operand resolve(const Operand& operand) const;

  const JsonPathProgram& program_;
  const JsonDocument& document_;
  JsonId start_;
  JsonPathBudget& budget_;
  bool has_too_many_results_ = false;
  // Patterns that come from the document.
  std::map<std::string, std::shared_ptr<const re2::RE2>, std::less<>> patterns_;
};

}  // namespace heddle::pages
