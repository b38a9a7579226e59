// The table of web encodings and their labels (WHATWG Encoding Standard).
#pragma once

#include <span>
#include <string_view>

namespace heddle::net {

struct Charset {
  std::string_view name;    // canonical, lower case
  const char* converter;    // iconv's name for it; nullptr: converted without iconv
  std::string_view labels;  // separated by spaces
};

// nullptr for an unknown label. Case and surrounding white space do not matter.
const Charset* find_charset(std::string_view label);
std::span<const Charset> all_charsets();

}  // namespace heddle::net
