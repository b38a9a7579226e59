// How the pages of a web job are read. Plain values.
#pragma once

#include <string_view>

namespace heddle {

// What a web job looks at.
enum class WatchKind { items, feed };

enum class PageFormat { detected, html, xml, json, json_lines, text };
std::string_view to_text(PageFormat format);  // "JSON Lines"

enum class SelectorKind { css, xpath, json_path };

// By how the selector begins: "$" is a JSONPath; "/", "./", "../", "(/" or "(." is an XPath
// expression; all else is CSS.
SelectorKind selector_kind(std::string_view selector);

}  // namespace heddle
