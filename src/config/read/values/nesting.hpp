// Measures how many values a TOML text has and how deeply they nest, before it is parsed. Pure.
#pragma once

#include <string_view>

namespace heddle::config {

struct NestingLimits {
  int depth;                   // of brackets and braces
  int dots;                    // in one dotted key
  int values = 1'000'000'000;  // of the whole text, an upper estimate
};

// Returns the first line (from 1) that exceeds the limits, or 0. Understands strings and comments;
// in a text that is not TOML it may report too much, never too little.
int line_of_excess(std::string_view text, NestingLimits limits);

}  // namespace heddle::config
