// Decides from its doctype whether a page is parsed in quirks mode.
#pragma once

#include "html/parser/tokenizer/token.hpp"

namespace heddle::html::parser {

bool requires_quirks_mode(const Token& doctype, bool is_named_html);

}  // namespace heddle::html::parser
