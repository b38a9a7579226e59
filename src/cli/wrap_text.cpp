#include "cli/wrap_text.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "cli/terminal.hpp"

namespace heddle::cli {

namespace {

constexpr std::size_t kFurtherIndent = 2;

// The length of a colour code ("\x1b[31m") at the front of the text, or 0.
std::size_t code_length(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  const std::size_t end = text.find('m');
  return end == std::string_view::npos ? 0 : end + 1;
}

std::size_t leading_blanks(std::string_view text) {
  return std::min(text.find_first_not_of(' '), text.size());
}

// Where the value of "  name    value" begins; otherwise the indentation and two more.
std::size_t further_indent(std::string_view line, std::size_t columns) {
  const std::size_t first = leading_blanks(line);
  const std::size_t gap = line.find("  ", first);
  if (gap != std::string_view::npos) {
    const std::size_t value = gap + leading_blanks(line.substr(gap));
    const std::size_t column = visible_width(line.substr(0, value));
    if (column <= columns / 2) return column;
  }
  return std::min(first + kFurtherIndent, columns / 2);
}

}  // namespace

std::size_t visible_width(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const std::size_t escape = std::min(text.find('\x1b'), text.size());
    columns += display_width(text.substr(0, escape));
    text.remove_prefix(escape);
    if (!text.empty()) text.remove_prefix(std::max<std::size_t>(code_length(text), 1));
  }
  return columns;
}

std::string wrap_paragraph(std::string_view text, std::size_t columns, std::size_t indent) {
  std::string out;
  std::size_t used = 0;   // columns of the current line
  bool has_word = false;  // in the current line
  while (!text.empty()) {
    const std::size_t blanks = leading_blanks(text);
    const std::size_t end = std::min(text.find(' ', blanks), text.size());
    const std::string_view word = text.substr(blanks, end - blanks);
    text.remove_prefix(end);
    if (word.empty()) break;  // blanks at the end
    const std::size_t width = visible_width(word);
    if (has_word && used + blanks + width > columns) {
      out += '\n' + std::string(indent, ' ');
      used = indent;
    } else {
      out.append(blanks, ' ');
      used += blanks;
    }
    out += word;
    used += width;
    has_word = true;
  }
  return out;
}

std::string wrap_text(std::string_view text, std::size_t columns) {
  std::string out;
  bool is_first = true;
  for (const std::string_view line : split(text, '\n')) {
    if (!is_first) out += '\n';
    is_first = false;
    out += visible_width(line) <= columns
               ? std::string(line)
               : wrap_paragraph(line, columns, further_indent(line, columns));
  }
  return out;
}

}  // namespace heddle::cli
