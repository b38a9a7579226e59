// Shows what differs between two texts, line by line and word by word. Pure.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "model/run/page_diff.hpp"

namespace heddle::pages {

// White space is folded and empty lines are left out; all other differences are shown, also those
// that compare_texts() takes for none. Up to `context` same lines stand around each difference.
std::vector<DiffLine> diff_texts(std::string_view before, std::string_view after,
                                 std::size_t context);

}  // namespace heddle::pages
