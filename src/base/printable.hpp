// Text for terminals, which must show what scripts and pages say and not obey it. Pure.
#pragma once

#include <string>
#include <string_view>

namespace heddle {

// Control characters spelt out ("\\x1b"), but for tabs and new lines.
std::string printable(std::string_view text);

}  // namespace heddle
