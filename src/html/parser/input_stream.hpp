// Makes the bytes of a page what the tokenizer expects: well-formed UTF-8 with line feeds only.
#pragma once

#include <string>
#include <string_view>

namespace heddle::html::parser {

// Returns the page itself when nothing has to change, which is usual; otherwise its clean copy,
// which is written to `copy`. A byte order mark is left out, "\r\n" and "\r" become "\n", and every
// piece that is not UTF-8 becomes U+FFFD.
std::string_view prepare_input(std::string_view page, std::string& copy);

}  // namespace heddle::html::parser
