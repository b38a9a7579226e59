// Parses a selector into a SelectorProgram, or reports the first error with its position.
#pragma once

#include <string_view>

#include "base/result.hpp"
#include "html/selector_program.hpp"

namespace heddle::html {

inline constexpr std::size_t kMaxSelectorBytes = 4096;
inline constexpr int kMaxSelectorNesting = 16;

Result<SelectorProgram> parse_selector(std::string_view css);

}  // namespace heddle::html
