// Preprocesses a page for the tokenizer: well-formed UTF-8 with line feeds only.
#pragma once

#include <string>
#include <string_view>

namespace heddle::html::parser {

// Returns the page itself when nothing has to change (the usual case), otherwise `copy`, to which
// it writes the clean page: no byte order mark, "\n" for "\r\n" and "\r", U+FFFD for invalid bytes.
std::string_view prepare_input(std::string_view page, std::string& copy);

}  // namespace heddle::html::parser
