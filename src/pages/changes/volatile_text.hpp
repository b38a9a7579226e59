// Recognizes the parts of a text that change without a meaning: counters, time stamps, session ids.
#pragma once

#include <string>
#include <string_view>

namespace heddle::pages {

// The line with each such part replaced by a mark: two lines that differ in nothing else become
// equal. Prices, plain dates and opening hours are kept. Knows the words of twelve languages.
std::string without_volatile_parts(std::string_view line);

}  // namespace heddle::pages
