// The character encodings of the web and all the names they go by (WHATWG Encoding Standard).
#pragma once

#include <span>
#include <string_view>

namespace heddle::net {

struct Charset {
  std::string_view name;    // canonical, lower case
  const char* converter;    // iconv's name for it; nullptr: converted by ourselves
  std::string_view labels;  // separated by spaces
};

// nullptr for a label nobody knows. Case and surrounding white space do not matter.
const Charset* find_charset(std::string_view label);
std::span<const Charset> all_charsets();

}  // namespace heddle::net
