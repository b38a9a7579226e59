// Parses the short form of a field: "name:css" or "name:css@attribute". Pure.
#pragma once

#include <string_view>

#include "base/result.hpp"
#include "model/job/job.hpp"

namespace heddle::config {

// The name ends at the first ":", so the CSS may contain more. The attribute follows the last "@"
// outside brackets, parentheses, quotes and escapes.
Result<FieldRule> parse_field(std::string_view text);

// The attribute that `att` or "@" names; "text" means the element's text: empty.
std::string attribute_named(std::string_view name);

}  // namespace heddle::config
