#include "html/links.hpp"

#include <algorithm>
#include <array>

namespace heddle::html {

namespace {

constexpr auto kUrlAttributes = std::to_array<std::string_view>(
    {"href", "src", "action", "formaction", "poster", "cite", "data-src", "data-href"});

}  // namespace

Url document_base(const Document& document, const Url& page_url) {
  for (NodeId node = 0; node < document.size(); ++node) {
    if (document.tag(node) != known("base")) continue;
    const auto href = document.attribute(node, known("href"));
    if (!href) continue;
    auto base = page_url.resolve(*href);
    return base ? *base : page_url;
  }
  return page_url;
}

bool is_url_attribute(std::string_view name) {
  return std::find(kUrlAttributes.begin(), kUrlAttributes.end(), name) != kUrlAttributes.end();
}

std::string attribute_or_link(const Document& document, NodeId node, std::string_view name,
                              const Url& base) {
  const auto value = document.attribute(node, name);
  if (!value) return {};
  return is_url_attribute(name) ? absolute_link(base, *value) : std::string(*value);
}

}  // namespace heddle::html
