// What the readers of XML feeds and JSON Feeds share: texts without markup, links, identity.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "html/parse.hpp"
#include "pages/feed/feed.hpp"

namespace heddle::pages {

class FeedText {
 public:
  FeedText(html::Parser& parser, const FeedLimits& limits) : parser_(parser), limits_(limits) {}

  // Of a text that may contain markup.
  [[nodiscard]] std::string plain(std::string_view html) const;
  // Of one that does not: white space collapses.
  [[nodiscard]] static std::string collapsed(std::string_view text);
  [[nodiscard]] std::string shortened(std::string text) const;
  [[nodiscard]] const FeedLimits& limits() const { return limits_; }

 private:
  html::Parser& parser_;
  const FeedLimits& limits_;
};

// Adds entries that have an identity of their own; false when the limit is reached.
class FeedEntries {
 public:
  FeedEntries(Feed& feed, const FeedLimits& limits) : feed_(feed), limits_(limits) {}
  bool add(FeedEntry entry);

 private:
  Feed& feed_;
  const FeedLimits& limits_;
  std::set<std::string> ids_;
};

Feed read_xml_feed(const html::Document& document, const Url& page_url, const FeedText& text);
Feed read_json_feed(const JsonDocument& document, const Url& page_url, const FeedText& text);

}  // namespace heddle::pages
