// JsonPathParser reads the text of a JSONPath query by the grammar of RFC 9535 and checks the types
// of function calls. Used once; not thread-safe.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "pages/json_path/json_path_program.hpp"

namespace heddle::pages {

class JsonPathParser {
 public:
  explicit JsonPathParser(std::string_view text) : text_(text) {}

  Result<std::shared_ptr<const JsonPathProgram>> parse();

 private:
  enum class ValueType : std::uint8_t { value, logical, nodes };

  // Each returns false and sets error_ when the text is wrong.
  bool parse_query(PathQuery& query);
  bool parse_segment(PathQuery& query);
  bool parse_shorthand(PathSegment& segment);
  bool parse_brackets(PathSegment& segment);
  bool parse_selector(PathSelector& selector);
  bool parse_index_or_slice(PathSelector& selector);
  bool parse_integer(std::int64_t& number);
  bool parse_string(std::string& out);
  bool parse_escape(char quote, std::string& out);
  bool parse_code_point(std::string& out);
  bool parse_code_unit(std::uint32_t& unit);

  bool parse_either(FilterId& id);
  bool parse_both(FilterId& id);
  bool parse_test(FilterId& id);
  bool parse_group(FilterId& id);
  bool parse_operand(FilterExpression& out, ValueType& type);
  bool parse_comparison(FilterExpression&& left, ValueType type, std::size_t begin, FilterId& id);
  bool parse_call(FilterExpression& out, ValueType& type);
  bool parse_arguments(FilterExpression& call);
  bool check_argument(const FilterExpression& call, const FilterExpression& argument,
                      ValueType type, std::size_t begin);
  bool parse_literal(FilterExpression& out);
  bool parse_number(FilterExpression& out);
  bool read_comparison(PathComparison& out);
  bool check_value(const FilterExpression& operand, ValueType type, std::size_t begin);

  FilterId add(FilterExpression&& expression);
  bool fail(std::string message) { return fail_at(at_, std::move(message)); }
  bool fail_at(std::size_t position, std::string message);
  bool enter();  // one level deeper; fails beyond the limit
  void leave() { --depth_; }

  void skip_space();
  bool skip(std::string_view text);
  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::shared_ptr<JsonPathProgram> program_ = std::make_shared<JsonPathProgram>();
  std::string error_;
};

}  // namespace heddle::pages
