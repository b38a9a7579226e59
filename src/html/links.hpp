// Finds the links of a page and resolves them. Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "html/document.hpp"
#include "model/web/url.hpp"

namespace heddle::html {

// The URL that links are resolved against: the first <base href> when it is an http(s) URL, else
// the page's own URL.
Url document_base(const Document& document, const Url& page_url);

// href, src, action, formaction, poster, cite, data-src and data-href hold one URL each. srcset is
// not listed: it holds several.
bool is_url_attribute(std::string_view name);

// The attribute's value: an absolute URL for a URL attribute, otherwise unchanged; empty when the
// element has none.
std::string attribute_or_link(const Document& document, NodeId node, std::string_view name,
                              const Url& base);

}  // namespace heddle::html
