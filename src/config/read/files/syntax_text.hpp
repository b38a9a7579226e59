// Says what is wrong with a TOML text in our own words. Pure.
#pragma once

#include <string>
#include <string_view>

namespace heddle::config {

// `reason`: what the TOML library reports at this line and column (counted from 1) of `text`.
std::string syntax_text(std::string_view reason, std::string_view text, int line, int column);

// The line of the first byte that is not UTF-8; 0: there is none.
int line_of_invalid_utf8(std::string_view text);

}  // namespace heddle::config
