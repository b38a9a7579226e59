#include "config/write/field_text.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "config/read/values/field_rule.hpp"
#include "config/read/values/toml_value.hpp"

namespace heddle::config {

namespace {

// Controls, marks of direction, invisible blanks.
bool is_shown(char32_t c) {
  if (c < 0x20 || (c >= 0x7F && c < 0xA0)) return false;
  if ((c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E)) return false;
  return !(c >= 0x2060 && c <= 0x206F) && c != 0xFEFF;
}

std::string_view type_name(FieldType type) {
  switch (type) {
    case FieldType::money:
      return "money";
    case FieldType::number:
      return "number";
    case FieldType::date:
      return "date";
    case FieldType::text:
      break;
  }
  return {};
}

}  // namespace

std::string field_text(const FieldRule& rule) {
  const std::string attribute = rule.attribute.empty() ? "" : "@" + rule.attribute;
  const std::string text = rule.name + ":" + rule.selector + attribute;
  if (const auto read = parse_field(text); read && *read == rule) return in_quotes(text);
  std::string table = "{ name = " + in_quotes(rule.name);
  const auto add = [&table](std::string_view key, std::string_view value) {
    if (!value.empty()) table += fmt::format(", {} = {}", key, in_quotes(value));
  };
  add("selector", rule.selector);
  add("att", rule.attribute);
  add("regex", rule.regex);
  add("type", type_name(rule.type));
  add("default", rule.fallback);
  if (rule.join) table += ", join = " + in_quotes(*rule.join);
  return table + " }";
}

std::string plain_text(std::string_view text) {
  std::string out;
  for (const char32_t c : to_code_points(text)) {
    if (is_shown(c) && c != ' ')
      append_utf8(out, c);
    else if (!out.empty() && out.back() != ' ' && (c == ' ' || c == '\t' || c == '\n' || c == '\r'))
      out += ' ';
  }
  return std::string(trim(out));
}

std::string shortened(std::string text, std::size_t max_characters) {
  const std::u32string characters = to_code_points(text);
  if (characters.size() <= max_characters) return text;
  std::string out;
  for (const char32_t c : characters.substr(0, max_characters)) append_utf8(out, c);
  return out + "...";
}

}  // namespace heddle::config
