// Classifies a page: what kind of content it has, or that it is an error page, a bot wall or a
// login page in place of the content. Pure and deterministic, linear in the size of the page.
#pragma once

#include "model/web/fetch.hpp"
#include "model/web/url.hpp"
#include "pages/classify/page_class.hpp"
#include "pages/outline/outline.hpp"
#include "pages/structured/structured_data.hpp"

namespace heddle::pages {

// What the server said about the page. The referenced values must outlive the call.
struct PageResponse {
  const Url& url;  // after redirects
  int status = 200;
  const Headers* headers = nullptr;  // names in lower case; may be absent
};

ClassifiedPage classify_page(const PageOutline& outline, const StructuredData& data,
                             const PageResponse& response);

}  // namespace heddle::pages
