// A look at a TOML text before it is parsed: how deep do its values nest? Pure.
#pragma once

#include <string_view>

namespace heddle::config {

struct NestingLimits {
  int depth;  // of brackets and braces
  int dots;   // in one dotted key
};

// The first line (from 1) that goes beyond the limits, 0 when none does. Understands strings and
// comments; of a text that is not TOML it may refuse too much, never too little.
int line_of_excess(std::string_view text, NestingLimits limits);

}  // namespace heddle::config
