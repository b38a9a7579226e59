// How the pages of a web job are read. Plain values.
#pragma once

#include <optional>
#include <string_view>

namespace heddle {

// What a web job looks at.
enum class WatchKind {
  items,    // repeated blocks and their fields
  text,     // the readable text of a page
  product,  // the one product of a page, without selectors
  feed,     // the entries of a feed
  file,     // any body, by its hash
  status,   // whether the page answers as expected
};
std::string_view to_text(WatchKind watch);
std::optional<WatchKind> watch_kind_from(std::string_view text);

enum class PageFormat { detected, html, xml, json, json_lines, text };
std::string_view to_text(PageFormat format);  // "JSON Lines"

enum class SelectorKind { css, xpath, json_path };

// By how the selector begins: "$" is a JSONPath; "/", "./", "../", "(/" or "(." is an XPath
// expression; all else is CSS.
SelectorKind selector_kind(std::string_view selector);

}  // namespace heddle
