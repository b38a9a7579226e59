// Finds the link to the next page of a listing: rel=next, words in many languages, numbered pagers,
// patterns of URLs, "load more". Pure and deterministic.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/web/url.hpp"
#include "pages/outline/outline.hpp"

namespace heddle::pages {

struct NextPage {
  std::string url;                    // absolute, without fragment
  double confidence = 0;              // 0 to 1
  std::string signals;                // "rel=next, pager, ?page=3"
  html::NodeId node = html::kNoNode;  // the <a> or <link>
};

// nullopt when the page has no next page, or none that can be told from other links.
std::optional<NextPage> find_next_page(const PageOutline& outline, const Url& url);

}  // namespace heddle::pages
