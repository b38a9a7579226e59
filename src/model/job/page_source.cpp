#include "model/job/page_source.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "model/names.hpp"

namespace heddle {

namespace {

constexpr NameTable<PageFormat, 6> kFormats{{{PageFormat::detected, "a detected format"},
                                             {PageFormat::html, "HTML"},
                                             {PageFormat::xml, "XML"},
                                             {PageFormat::json, "JSON"},
                                             {PageFormat::json_lines, "JSON Lines"},
                                             {PageFormat::text, "plain text"}}};

constexpr NameTable<WatchKind, 6> kWatchKinds{{{WatchKind::items, "items"},
                                               {WatchKind::text, "text"},
                                               {WatchKind::product, "product"},
                                               {WatchKind::feed, "feed"},
                                               {WatchKind::file, "file"},
                                               {WatchKind::status, "status"}}};

}  // namespace

std::string_view to_text(WatchKind watch) {
  return name_of(kWatchKinds, watch);
}

std::optional<WatchKind> watch_kind_from(std::string_view text) {
  return value_of(kWatchKinds, text);
}

std::string_view to_text(PageFormat format) {
  return name_of(kFormats, format);
}

SelectorKind selector_kind(std::string_view selector) {
  const std::string_view text = trim(selector);
  if (text.starts_with('$')) return SelectorKind::json_path;
  constexpr std::array<std::string_view, 5> kXPathBegins{"/", "./", "../", "(/", "(."};
  const bool is_xpath = std::any_of(kXPathBegins.begin(), kXPathBegins.end(),
                                    [&](std::string_view each) { return text.starts_with(each); });
  return is_xpath ? SelectorKind::xpath : SelectorKind::css;
}

}  // namespace heddle
