// Names of months in many languages, in full, inflected and shortened.
#pragma once

#include <optional>
#include <string_view>

namespace heddle::pages {

// 1 to 12 for a word folded by fold_case, without its final dot. A name that means different months
// in two languages is left to the more widely read one (docs/typed-values.md).
std::optional<int> month_named(std::u32string_view word);

}  // namespace heddle::pages
