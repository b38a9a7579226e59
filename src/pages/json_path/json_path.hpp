// JsonPath is a JSONPath query (RFC 9535), compiled once per job and evaluated on many documents.
// Immutable, cheap to copy, shareable by threads.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "pages/json/json_document.hpp"

namespace heddle::pages {

struct JsonPathProgram;

class JsonPath {
 public:
  // Fails with bad_input "JSONPath: position 12: …"; positions are bytes, counted from 1. A query
  // whose function calls are not well-typed fails, too.
  static Result<JsonPath> compile(std::string_view query);

  [[nodiscard]] const std::string& text() const;
  [[nodiscard]] const JsonPathProgram& program() const { return *program_; }

 private:
  explicit JsonPath(std::shared_ptr<const JsonPathProgram> program);
  std::shared_ptr<const JsonPathProgram> program_;  // shared by the copies
};

// A budget that several evaluations share, such as all those of one page. One step is about one
// visited value, or 16 bytes of text compared.
struct JsonPathBudget {
  std::size_t max_steps = 10'000'000;
  std::size_t max_results = 100'000;  // of one evaluation
  std::size_t steps_left = max_steps;
};

// Appends the values that the query selects, in the order of the RFC; "$" is `start`. A value may
// be there more than once. Fails (bad_input) only beyond the budget.
Status evaluate(const JsonPath& path, const JsonDocument& document, JsonId start,
                std::vector<JsonId>& out, JsonPathBudget& budget);
Result<std::vector<JsonId>> evaluate(const JsonPath& path, const JsonDocument& document,
                                     const JsonPathBudget& limits = {});

// The normalized path of a value, such as $['store']['book'][0].
std::string normalized_path(const JsonDocument& document, JsonId id);

}  // namespace heddle::pages
