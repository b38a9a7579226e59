// Breaks lines for a terminal of limited width. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace heddle::cli {

// The width of a text in columns, without its colour codes.
std::size_t visible_width(std::string_view text);

// Breaks each line of the text that is wider than `columns` at blanks. Further lines are indented:
// below the value of a line such as "  name    value", else by two more than the first one. A word
// that does not fit into a line, such as an id or a URL, stays whole.
std::string wrap_text(std::string_view text, std::size_t columns);

// Breaks a paragraph at blanks; further lines begin with `indent` blanks.
std::string wrap_paragraph(std::string_view text, std::size_t columns, std::size_t indent);

}  // namespace heddle::cli
