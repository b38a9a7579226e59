#include "pages/feed/feed.hpp"

#include <fmt/format.h>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "html/text.hpp"
#include "pages/feed/feed_reader.hpp"
#include "pages/values/date.hpp"
#include "pages/xml/xml.hpp"

namespace heddle::pages {

std::string FeedText::collapsed(std::string_view text) {
  std::string out;
  bool has_space = false;
  for (const char c : trim(text)) {
    const bool is_space = c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
    if (!is_space && has_space) out += ' ';
    if (!is_space) out += c;
    has_space = is_space;
  }
  return out;
}

std::string FeedText::plain(std::string_view html) const {
  if (html.find_first_of("<&") == std::string_view::npos) return collapsed(html);
  const auto document = parser_.parse(html, limits_.tree);
  if (!document) return collapsed(html);
  return html::readable_text(*document, html::Document::root());
}

std::string FeedText::shortened(std::string text) const {
  if (text.size() <= limits_.max_summary) return text;
  return std::string(utf8_prefix(text, limits_.max_summary)) + "…";
}

bool FeedEntries::add(FeedEntry entry) {
  if (feed_.entries.size() >= limits_.max_entries) return false;
  if (entry.id.empty()) entry.id = entry.link;
  if (entry.id.empty() && entry.title.empty() && entry.summary.empty()) return true;
  if (entry.id.empty()) {
    ListHasher hasher;
    hasher.add(entry.title);
    hasher.add(entry.summary);
    entry.id = hasher.finish().hex();
  }
  if (ids_.insert(entry.id).second) feed_.entries.push_back(std::move(entry));
  return true;
}

bool is_feed(const html::Document& xml) {
  const html::NodeId root = xml.root_element();
  if (root == html::kNoNode) return false;
  const std::string name = to_lower_ascii(local_name(xml.tag_name(root)));
  return name == "rss" || name == "feed" || name == "rdf";
}

bool is_json_feed(const JsonDocument& json) {
  const JsonId version = json.member(JsonDocument::root(), "version");
  if (version == kNoJson || json.kind(version) != JsonKind::string) return false;
  return json.text(version).find("jsonfeed.org/version/") != std::string_view::npos;
}

Result<Feed> read_feed(html::Parser& parser, std::string_view utf8, const Url& page_url,
                       const FeedLimits& limits) {
  const FeedText text(parser, limits);
  const auto no_feed = [](std::string_view what) {
    return Error{ErrorCode::bad_input, fmt::format("this is not a feed: {}", what)};
  };
  if (trim(utf8).starts_with('{')) {
    const auto json = JsonDocument::parse(std::string(utf8));
    if (!json) return Error(json.error());
    if (!is_json_feed(*json)) return no_feed("JSON without the `version` of a JSON Feed");
    const JsonId items = json->member(JsonDocument::root(), "items");
    if (items == kNoJson || json->kind(items) != JsonKind::array)
      return no_feed("a JSON Feed whose `items` is not a list");
    return read_json_feed(*json, page_url, text);
  }
  const auto page = read_xml(utf8, limits.tree);
  if (!page) return Error(page.error());
  if (is_feed(page->document)) return read_xml_feed(page->document, page_url, text);
  const html::NodeId root = page->document.root_element();
  if (root == html::kNoNode) return no_feed("the page has no elements");
  return no_feed(fmt::format("its first element is <{}>, expected <rss>, <feed> or <rdf:RDF>",
                             utf8_prefix(page->document.tag_name(root), 40)));
}

std::vector<FieldRule> feed_fields() {
  std::vector<FieldRule> fields;
  for (const char* name :
       {"id", "title", "link", "published", "updated", "author", "summary", "categories"})
    fields.emplace_back().name = name;
  fields[3].type = FieldType::date;
  fields[4].type = FieldType::date;
  return fields;
}

Item item_of(FeedEntry entry) {
  Item item;
  item.fields = {
      {"id", std::move(entry.id)},           {"title", std::move(entry.title)},
      {"link", std::move(entry.link)},       {"published", std::move(entry.published)},
      {"updated", std::move(entry.updated)}, {"author", std::move(entry.author)},
      {"summary", std::move(entry.summary)}, {"categories", heddle::join(entry.categories, ", ")}};
  return item;
}

}  // namespace heddle::pages
