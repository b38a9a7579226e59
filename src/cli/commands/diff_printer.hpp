// Prints what differs between two texts: on a terminal in colours, side by side when it is wide
// enough; elsewhere as plain text with [-removed-] and {+added+} words.
#pragma once

#include <vector>

#include "cli/terminal.hpp"
#include "model/run/page_diff.hpp"

namespace heddle::cli {

void print_diff(Terminal& terminal, const std::vector<DiffLine>& lines);

}  // namespace heddle::cli
