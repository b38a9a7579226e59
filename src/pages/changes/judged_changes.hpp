// Says how much each difference between two texts of a page matters. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/run/change.hpp"
#include "pages/changes/text_changes.hpp"

namespace heddle::pages {

// By the kind of the difference, never by the size of the page: high for a price or what is said
// about stock, low when only numbers, punctuation or upper and lower case differ, else medium.
Significance significance_of(const TextChange& change);

struct JudgedChanges {
  std::vector<FieldChange> changes;  // in the order of the page
  std::size_t left_out = 0;          // beyond the limit; those that matter least
};

// `url`: of the page. Long texts are cut: the versions of the page have them whole.
JudgedChanges judge_changes(const TextComparison& comparison, const std::string& url);

}  // namespace heddle::pages
