// KeywordFilter keeps the items that contain at least one keyword and records which. Created once
// per job. Pure, but it reuses a buffer: one thread at a time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/run/item.hpp"

namespace heddle::pages {

class KeywordFilter {
 public:
  // Empty keywords are ignored; no search_fields: all fields are searched.
  KeywordFilter(std::vector<std::string> keywords, std::vector<std::string> search_fields);

  // Sets item.matches to the keywords found, as written and in their order, ignoring case. Returns
  // whether the item is kept: without keywords every item is, with no matches.
  bool keep(Item& item);

 private:
  struct Keyword {
    std::string written;
    std::string folded;
  };

  [[nodiscard]] bool is_searched(std::string_view field) const;
  // Folds a field's text into folded_text_.
  void fold(std::string_view text);

  std::vector<Keyword> keywords_;
  std::vector<std::string> search_fields_;
  std::vector<bool> found_;  // by keyword, of the current item
  std::string folded_text_;
};

}  // namespace heddle::pages
