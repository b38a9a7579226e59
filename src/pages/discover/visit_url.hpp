// Decides which URLs are the same page to discovery. Pure.
#pragma once

#include <string>

#include "model/web/url.hpp"

namespace heddle::pages {

// The URL to fetch for a link: without fragment and without parameters that only tell where a
// visitor came from (utm_source, gclid, fbclid …).
std::string url_to_fetch(const Url& url);

// Equal for URLs of one page: as url_to_fetch(), with the keys of the query in order. Only
// compared, never fetched.
std::string normalize_for_visit(const Url& url);

}  // namespace heddle::pages
