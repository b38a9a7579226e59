// Compares two readable texts of a page and says what was added, removed and replaced. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::pages {

// Lines that were replaced by others; one side is empty when lines were only added or removed.
struct TextChange {
  std::string before;
  std::string after;
  std::string context;    // the unchanged line in front of them
  std::size_t words = 0;  // how many words differ
  bool is_price = false;  // the lines differ in an amount of money only
  bool operator==(const TextChange&) const = default;
};

struct TextComparison {
  std::vector<TextChange> changes;  // in the order of the page
  std::size_t words_before = 0;     // of the whole text
  std::size_t words_after = 0;
};

// White space, the order of lines and volatile parts (counters, time stamps, session ids) are no
// change. Long texts are compared within a limit of steps: changes may then be larger than
// necessary.
TextComparison compare_texts(std::string_view before, std::string_view after);

}  // namespace heddle::pages
