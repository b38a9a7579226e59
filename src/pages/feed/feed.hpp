// Reads feeds: RSS 0.9x, 1.0 and 2.0, Atom, JSON Feed. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "html/parse.hpp"
#include "model/job/job.hpp"
#include "model/run/item.hpp"
#include "model/web/url.hpp"
#include "pages/json/json_document.hpp"

namespace heddle::pages {

// Texts are plain: markup is removed, white space collapses. Absent parts are empty.
struct FeedEntry {
  std::string id;  // the feed's own, else the link, else a hash of title and summary
  std::string title;
  std::string link;       // absolute
  std::string published;  // "2026-03-12T10:00:00Z"; as written when it is no date
  std::string updated;
  std::string author;
  std::string summary;
  std::vector<std::string> categories;
};

struct Feed {
  std::string title;
  std::vector<FeedEntry> entries;  // in the order of the feed, each id once
};

struct FeedLimits {
  html::ParseLimits tree;
  std::size_t max_entries = 5'000;
  std::size_t max_summary = 20'000;  // bytes
};

// Reads a feed of any kind; broken XML is repaired. Fails with bad_input "this is not a feed: …",
// with the position of a mistake in JSON, or with "too_complex: …".
Result<Feed> read_feed(html::Parser& parser, std::string_view utf8, const Url& page_url,
                       const FeedLimits& limits = {});

bool is_feed(const html::Document& xml);
bool is_json_feed(const JsonDocument& json);

// The date of a feed, in any of the forms that feeds have: RFC 822 and ISO 8601 with their usual
// mistakes. "2026-03-12T10:00:00Z", without "Z" when the zone is unknown; trimmed but unchanged
// when it is no date.
std::string feed_date(std::string_view text);

// The fields of the items that entries become.
std::vector<FieldRule> feed_fields();
Item item_of(FeedEntry entry);

}  // namespace heddle::pages
