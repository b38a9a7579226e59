// Makes untrusted text safe to print on a terminal. Pure.
#pragma once

#include <string>
#include <string_view>

namespace heddle {

// Writes control characters as escapes ("\\x1b"), except tabs and line feeds.
std::string printable(std::string_view text);

}  // namespace heddle
