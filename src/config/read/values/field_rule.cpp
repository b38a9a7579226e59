#include "config/read/values/field_rule.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace heddle::config {

namespace {

bool is_attribute_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == ':' || c == '.';
}

// Position of the last "@" that is not part of the CSS, npos when there is none.
std::size_t find_attribute_mark(std::string_view css) {
  std::size_t mark = std::string_view::npos;
  int depth = 0;
  char quote = 0;
  for (std::size_t at = 0; at < css.size(); ++at) {
    const char c = css[at];
    if (c == '\\') {
      ++at;
    } else if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[' || c == '(') {
      ++depth;
    } else if (c == ']' || c == ')') {
      --depth;
    } else if (c == '@' && depth == 0) {
      mark = at;
    }
  }
  return mark;
}

}  // namespace

Result<FieldRule> parse_field(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos)
    return Error{ErrorCode::bad_input,
                 "a field needs a name: \"name:css\", \"name:css@attribute\", \"name:./xpath\" or "
                 "\"name:$.json.path\""};
  auto rule = parse_unnamed_field(text.substr(colon + 1));
  if (rule) rule->name = trim(text.substr(0, colon));
  return rule;
}

Result<FieldRule> parse_unnamed_field(std::string_view text) {
  FieldRule rule;
  rule.kind = selector_kind(text);
  const std::size_t mark =
      rule.kind == SelectorKind::css ? find_attribute_mark(text) : std::string_view::npos;
  rule.selector = trim(text.substr(0, mark));
  if (mark == std::string_view::npos) return rule;
  const std::string_view attribute = trim(text.substr(mark + 1));
  if (attribute.empty() || !std::all_of(attribute.begin(), attribute.end(), is_attribute_char))
    return Error{ErrorCode::bad_input, "an attribute name must follow \"@\""};
  rule.attribute = attribute_named(attribute);
  return rule;
}

std::string attribute_named(std::string_view name) {
  return name == "text" ? std::string() : std::string(name);
}

}  // namespace heddle::config
