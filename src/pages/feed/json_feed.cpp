#include <initializer_list>

#include "base/text.hpp"
#include "pages/feed/feed_reader.hpp"

namespace heddle::pages {

namespace {

class JsonFeedReader {
 public:
  JsonFeedReader(const JsonDocument& json, const Url& page_url, const FeedText& text)
      : json_(json), page_url_(page_url), text_(text) {}

  Feed read() {
    Feed feed;
    FeedEntries entries(feed, text_.limits());
    const JsonId root = JsonDocument::root();
    feed.title = FeedText::collapsed(value(root, {"title"}));
    feed_author_ = author_of(root);
    const JsonId items = json_.member(root, "items");
    if (items == kNoJson) return feed;
    for (JsonId item = json_.first_child(items); item != kNoJson; item = json_.next(item))
      if (!entries.add(read_entry(item))) break;
    return feed;
  }

 private:
  // The first of the members that has a text or number.
  [[nodiscard]] std::string value(JsonId object,
                                  std::initializer_list<std::string_view> names) const {
    for (const std::string_view name : names) {
      const JsonId member = json_.member(object, name);
      if (member == kNoJson || json_.text(member).empty()) continue;
      return std::string(json_.text(member));
    }
    return {};
  }

  FeedEntry read_entry(JsonId item) {
    FeedEntry entry;
    entry.id = value(item, {"id"});
    entry.title = FeedText::collapsed(value(item, {"title"}));
    if (const std::string link = value(item, {"url", "external_url"}); !link.empty())
      entry.link = absolute_link(page_url_, link);
    entry.published = feed_date(value(item, {"date_published"}));
    entry.updated = feed_date(value(item, {"date_modified"}));
    entry.author = author_of(item);
    if (entry.author.empty()) entry.author = feed_author_;
    std::string summary = FeedText::collapsed(value(item, {"summary", "content_text"}));
    if (summary.empty()) summary = text_.plain(value(item, {"content_html"}));
    entry.summary = text_.shortened(std::move(summary));
    const JsonId tags = json_.member(item, "tags");
    for (JsonId tag = tags == kNoJson ? kNoJson : json_.first_child(tags); tag != kNoJson;
         tag = json_.next(tag))
      if (json_.kind(tag) == JsonKind::string)
        entry.categories.push_back(FeedText::collapsed(json_.text(tag)));
    return entry;
  }

  // Version 1 has `author`, version 1.1 has `authors`.
  [[nodiscard]] std::string author_of(JsonId object) const {
    std::string names;
    const JsonId authors = json_.member(object, "authors");
    for (JsonId each = authors == kNoJson ? kNoJson : json_.first_child(authors); each != kNoJson;
         each = json_.next(each)) {
      const std::string name = FeedText::collapsed(value(each, {"name", "url"}));
      if (!name.empty()) names += (names.empty() ? "" : ", ") + name;
    }
    const JsonId author = json_.member(object, "author");
    if (names.empty() && author != kNoJson)
      names = FeedText::collapsed(value(author, {"name", "url"}));
    return names;
  }

  const JsonDocument& json_;
  const Url& page_url_;
  const FeedText& text_;
  std::string feed_author_;
};

}  // namespace

Feed read_json_feed(const JsonDocument& document, const Url& page_url, const FeedText& text) {
  return JsonFeedReader(document, page_url, text).read();
}

}  // namespace heddle::pages
