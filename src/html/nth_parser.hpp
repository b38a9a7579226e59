// Parses the "2n+1", "odd" or "-n + 3" of :nth-child().
#pragma once

#include <optional>

#include "html/css_scanner.hpp"
#include "html/selector_program.hpp"

namespace heddle::html {

// nullopt when the input is no such pattern; the scanner's position is then unspecified.
std::optional<NthPattern> parse_nth(CssScanner& scanner);

}  // namespace heddle::html
