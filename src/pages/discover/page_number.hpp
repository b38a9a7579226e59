// Compares two URLs as pages of one listing. Pure.
#pragma once

#include <optional>

#include "model/web/url.hpp"

namespace heddle::pages {

struct PageStep {
  long from = 1;              // page number or offset of the first URL; 1 or 0 when it has none
  long to = 0;                // of the second
  bool is_named = false;      // by a word for pages or offsets: "?page=3", "/page/3", "start=20"
  bool is_offset = false;     // counts items: "start=20"
  bool is_first = false;      // the first URL names no page
  bool is_elsewhere = false;  // the URLs differ in more than the number
};

// nullopt when the second URL has no number that the first one has not.
std::optional<PageStep> page_step(const Url& from, const Url& to);

}  // namespace heddle::pages
