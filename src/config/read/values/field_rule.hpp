// Parses the short form of a field: "name:css", "name:css@attribute", "name:./xpath" or
// "name:$.json.path". Pure.
#pragma once

#include <string_view>

#include "base/result.hpp"
#include "model/job/job.hpp"

namespace heddle::config {

// The name ends at the first ":", so the selector may contain more. The attribute follows the last
// "@" of CSS outside brackets, parentheses, quotes and escapes; in XPath and JSONPath "@" has a
// meaning of its own.
Result<FieldRule> parse_field(std::string_view text);

// "css", "css@attribute" or an XPath expression, without a name.
Result<FieldRule> parse_unnamed_field(std::string_view text);

// The attribute that `att` or "@" names; "text" means the element's text: empty.
std::string attribute_named(std::string_view name);

}  // namespace heddle::config
