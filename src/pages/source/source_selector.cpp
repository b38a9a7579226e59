#include "pages/source/source_selector.hpp"

namespace heddle::pages {

Result<SourceSelector> SourceSelector::compile(SelectorKind kind, std::string_view text,
                                               const html::XPathPrefixes& prefixes) {
  if (kind == SelectorKind::json_path) {
    auto path = JsonPath::compile(text);
    if (!path) return std::move(path).error();
    return SourceSelector(*std::move(path));
  }
  if (kind == SelectorKind::xpath) {
    auto xpath = html::XPath::compile(text, prefixes);
    if (!xpath) return std::move(xpath).error();
    return SourceSelector(*std::move(xpath));
  }
  auto css = html::Selector::compile(text);
  if (!css) return std::move(css).error();
  return SourceSelector(*std::move(css));
}

}  // namespace heddle::pages
