// Tells by its doctype whether a page wants to be treated as in the nineties.
#pragma once

#include "html/parser/token.hpp"

namespace heddle::html::parser {

bool asks_for_quirks(const Token& doctype, bool is_named_html);

}  // namespace heddle::html::parser
