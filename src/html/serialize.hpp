// Serializes a tree as HTML by the rules of outerHTML. Pure functions.
#pragma once

#include <string>

#include "html/document.hpp"

namespace heddle::html {

std::string outer_html(const Document& document, NodeId node);
std::string inner_html(const Document& document, NodeId node);

}  // namespace heddle::html
