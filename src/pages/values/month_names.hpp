// Recognizes names of months in many languages: full, inflected and abbreviated.
#pragma once

#include <optional>
#include <string_view>

namespace heddle::pages {

// 1 to 12 for a word folded by fold_case, without its final dot. A name of different months in two
// languages has the meaning of the more widely read one (docs/typed-values.md).
std::optional<int> month_named(std::u32string_view word);

}  // namespace heddle::pages
