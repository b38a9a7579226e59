#include "config/read/files/syntax_text.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"

namespace heddle::config {

namespace {

constexpr std::size_t kShownCharacters = 40;
constexpr const char* kUnclosedText =
    "a text is not closed: its closing quote is missing (a text over several lines is written in "
    "\"\"\"…\"\"\")";

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// What stands between the last two apostrophes: "… saw 'b'".
std::string quoted_part(std::string_view reason) {
  const auto end = reason.rfind('\'');
  const auto begin = end == std::string_view::npos || end == 0 ? end : reason.rfind('\'', end - 1);
  if (begin == std::string_view::npos || begin >= end) return "";
  const auto part = reason.substr(begin + 1, end - begin - 1);
  return part.size() <= kShownCharacters ? std::string(part)
                                         : std::string(part.substr(0, kShownCharacters)) + "…";
}

// Whether the line ends at this column.
bool is_end_of_line(std::string_view text, int line, int column) {
  const auto lines = split(text, '\n');
  const auto index = static_cast<std::size_t>(std::max(line, 1)) - 1;
  if (index >= lines.size()) return true;
  return static_cast<std::size_t>(std::max(column, 1)) > trim(lines[index]).size();
}

std::string text_problem(std::string_view reason, bool is_at_end) {
  if (has(reason, "end-of-file") || (has(reason, "control characters") && is_at_end))
    return kUnclosedText;
  if (has(reason, "control characters"))
    return "a text contains a control character: write it as \"\\uXXXX\"";
  if (has(reason, "escape sequence"))
    return fmt::format(
        "unknown escape \"{}\" in a text: write a backslash as \"\\\\\", or put the text in single "
        "quotes",
        quoted_part(reason));
  return "";
}

std::string number_problem(std::string_view reason) {
  if (has(reason, "not representable"))
    return fmt::format("the number {} is too large: the largest is 9223372036854775807",
                       quoted_part(reason));
  if (has(reason, "length limit")) return "the number has too many digits";
  if (has(reason, "could not be interpreted"))
    return fmt::format("the number {} is too large", quoted_part(reason));
  if (has(reason, "leading zeroes")) return "a number must not begin with 0";
  if (has(reason, "expected digit"))
    return fmt::format(
        "a number must not be followed by \"{}\": write a quantity with a unit in quotes, such as "
        "\"5m\"",
        quoted_part(reason));
  return "";
}

std::string structure_problem(std::string_view reason) {
  const std::string found = quoted_part(reason);
  if (has(reason, "cannot redefine")) return fmt::format("\"{}\" is given twice", found);
  if (has(reason, "expected '='"))
    return fmt::format("expected \"=\" after the key, found \"{}\"", found);
  if (has(reason, "could not determine value type"))
    return "expected a value: a text in quotes, a number, true, false or a list in [ ]";
  if (has(reason, "expected a comment or whitespace"))
    return fmt::format("expected the end of the line after the value, found \"{}\"", found);
  if (has(reason, "expected comma or closing ']'"))
    return fmt::format("expected \",\" or \"]\" in a list, found \"{}\"", found);
  if (has(reason, "inline table")) return "a table in { } must be closed by \"}\" on the same line";
  if (!has(reason, "end-of-file")) return "";
  if (has(reason, "array")) return "a list is not closed: its \"]\" is missing";
  if (has(reason, "table header")) return "a section is not closed: its \"]\" is missing";
  return "a value is missing after \"=\"";
}

}  // namespace

std::string syntax_text(std::string_view reason, std::string_view text, int line, int column) {
  std::string ours;
  if (has(reason, "parsing string") || has(reason, "parsing literal string"))
    ours = text_problem(reason, is_end_of_line(text, line, column));
  else if (has(reason, "integer") || has(reason, "floating-point"))
    ours = number_problem(reason);
  if (ours.empty()) ours = structure_problem(reason);
  return ours.empty() ? std::string(reason) : ours;
}

int line_of_invalid_utf8(std::string_view text) {
  int line = 1;
  while (!text.empty()) {
    const std::size_t length = utf8_sequence_length(text);
    if (length == 0) return line;
    if (text.front() == '\n') ++line;
    text.remove_prefix(length);
  }
  return 0;
}

}  // namespace heddle::config
