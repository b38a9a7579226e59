// JSON as it was written, value by value, laid out for people who compare it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::testing {

// A value with the text of its scalars untouched: 1.000 stays 1.000, members keep their order and
// stay when they come twice.
struct JsonText {
  enum class Kind { scalar, object, array };
  Kind kind = Kind::scalar;
  std::string scalar;                                     // as written, strings with their quotes
  std::vector<std::pair<std::string, JsonText>> members;  // names with quotes; empty in arrays
};

// Throws when it is not one whole JSON document.
JsonText read_json(std::string_view document);

// Two blanks per level; what fits into 120 columns stands on one line.
std::string lay_out(const JsonText& value);

}  // namespace heddle::testing
