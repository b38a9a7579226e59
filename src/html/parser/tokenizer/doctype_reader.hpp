// Splits a doctype into its name, public identifier and system identifier.
#pragma once

#include <string_view>

#include "html/parser/tokenizer/token.hpp"

namespace heddle::html::parser {

struct DoctypeParts {
  std::string_view name;
  std::string_view public_id;
  std::string_view system_id;
  bool has_public_id = false;
  bool has_system_id = false;
  bool forces_quirks = false;
};

// `text` is everything between "<!DOCTYPE" and ">" or the end of the page.
DoctypeParts read_doctype_parts(std::string_view text, bool is_closed);

}  // namespace heddle::html::parser
