// RSS and Atom, by namespace where feeds declare one and by prefix where they do not.
#include <array>

#include "base/text.hpp"
#include "html/text.hpp"
#include "pages/feed/feed_reader.hpp"
#include "pages/xml/xml.hpp"

namespace heddle::pages {

namespace {

using html::Document;
using html::kNoNode;
using html::NodeId;

enum class Vocabulary { core, dublin_core, content, media, itunes, xhtml, other };

struct VocabularyRow {
  std::string_view part;  // of the namespace's URI
  std::string_view prefix;
  Vocabulary vocabulary;
};

constexpr auto kVocabularies = std::to_array<VocabularyRow>({
    {"purl.org/dc/", "dc", Vocabulary::dublin_core},
    {"purl.org/rss/1.0/modules/content", "content", Vocabulary::content},
    {"search.yahoo.com/mrss", "media", Vocabulary::media},
    {"itunes.com/dtds/podcast", "itunes", Vocabulary::itunes},
    {"w3.org/1999/xhtml", "xhtml", Vocabulary::xhtml},
    {"purl.org/rss/1.0/modules/", "", Vocabulary::other},
    {"purl.org/rss/", "rss", Vocabulary::core},
    {"purl.org/atom/ns", "atom", Vocabulary::core},
    {"w3.org/2005/atom", "atom10", Vocabulary::core},
    {"netscape.com/", "", Vocabulary::core},
    {"userland.com/", "", Vocabulary::core},
    {"blogs.law.harvard.edu/tech/rss", "", Vocabulary::core},
});

class XmlFeedReader {
 public:
  XmlFeedReader(const Document& document, const Url& page_url, const FeedText& text)
      : document_(document), page_url_(page_url), text_(text) {}

  Feed read() {
    Feed feed;
    FeedEntries entries(feed, text_.limits());
    const NodeId root = document_.root_element();
    if (!read_children(root, feed, entries)) return feed;
    // RSS 2.0 has its items in the channel, RSS 1.0 beside it.
    for_each_child(root, [&](NodeId child) {
      if (name_of(child) == "channel") read_children(child, feed, entries);
    });
    return feed;
  }

 private:
  template <class Visit>
  void for_each_child(NodeId node, Visit visit) {
    for (NodeId child = document_.first_child_element(node); child != kNoNode;
         child = document_.next_element(child))
      visit(child);
  }

  [[nodiscard]] std::string name_of(NodeId node) const {
    return to_lower_ascii(local_name(document_.tag_name(node)));
  }

  [[nodiscard]] Vocabulary vocabulary_of(NodeId node) const {
    const std::string uri = to_lower_ascii(document_.namespace_uri(document_.space(node)));
    const std::string_view tag = document_.tag_name(node);
    const std::size_t colon = tag.find(':');
    const std::string_view prefix = colon == std::string_view::npos ? "" : tag.substr(0, colon);
    if (uri.empty() && prefix.empty()) return Vocabulary::core;
    for (const VocabularyRow& row : kVocabularies) {
      const bool is_it = uri.empty() ? prefix == row.prefix && !row.prefix.empty()
                                     : uri.find(row.part) != std::string::npos;
      if (is_it) return row.vocabulary;
    }
    return prefix.empty() ? Vocabulary::core : Vocabulary::other;
  }

  bool read_children(NodeId parent, Feed& feed, FeedEntries& entries) {
    bool goes_on = true;
    for_each_child(parent, [&](NodeId child) {
      if (!goes_on || vocabulary_of(child) != Vocabulary::core) return;
      const std::string name = name_of(child);
      if (name == "title" && feed.title.empty()) feed.title = text_of(child);
      if (name == "author" && feed_author_.empty()) feed_author_ = author_of(child);
      if (name == "item" || name == "entry") goes_on = entries.add(read_entry(child));
    });
    return goes_on;
  }

  FeedEntry read_entry(NodeId node) {
    FeedEntry entry;
    found_ = {};
    for (const html::Attribute& attribute : document_.attributes(node))
      if (local_name(document_.name(attribute.name)) == "about")
        entry.id = FeedText::collapsed(document_.value(attribute));
    for_each_child(node, [&](NodeId child) { read_part(child, entry); });
    if (entry.link.empty()) entry.link = found_.permalink;
    if (entry.title.empty()) entry.title = std::move(found_.media_title);
    if (entry.summary.empty()) entry.summary = std::move(found_.content);
    if (entry.summary.empty()) entry.summary = std::move(found_.media_text);
    entry.summary = text_.shortened(std::move(entry.summary));
    if (entry.author.empty()) entry.author = feed_author_;
    return entry;
  }

  void read_part(NodeId node, FeedEntry& entry) {
    const std::string name = name_of(node);
    switch (vocabulary_of(node)) {
      case Vocabulary::core:
        return read_core(node, name, entry);
      case Vocabulary::dublin_core:
        return read_dublin_core(node, name, entry);
      case Vocabulary::content:
        if (name == "encoded") set(found_.content, [&] { return text_of(node); });
        return;
      case Vocabulary::media:
        return read_media(node, name, entry);
      case Vocabulary::itunes:
        if (name == "author") set(entry.author, [&] { return text_of(node); });
        if (name == "summary") set(found_.media_text, [&] { return text_of(node); });
        return;
      case Vocabulary::xhtml:
        if (name == "body" || name == "div") set(found_.content, [&] { return text_of(node); });
        return;
      case Vocabulary::other:
        return;
    }
  }

  // The first one counts.
  template <class Read>
  static void set(std::string& part, Read read) {
    if (part.empty()) part = read();
  }

  void read_core(NodeId node, const std::string& name, FeedEntry& entry) {
    if (name == "title") set(entry.title, [&] { return text_of(node); });
    if (name == "link") read_link(node, entry);
    if (name == "guid" || name == "id") read_id(node, name, entry);
    if (name == "description" || name == "summary" || name == "tagline")
      set(entry.summary, [&] { return text_of(node); });
    if (name == "content") set(found_.content, [&] { return text_of(node); });
    if (name == "pubdate" || name == "published" || name == "issued" || name == "created")
      set(entry.published, [&] { return feed_date(document_.text(node)); });
    if (name == "updated" || name == "modified" || name == "lastbuilddate")
      set(entry.updated, [&] { return feed_date(document_.text(node)); });
    if (name == "author") set(entry.author, [&] { return author_of(node); });
    if (name == "category") add_category(node, entry);
    if (name == "source" && entry.author.empty())
      for_each_child(node, [&](NodeId child) {
        if (name_of(child) == "author") set(entry.author, [&] { return author_of(child); });
      });
  }

  void read_dublin_core(NodeId node, const std::string& name, FeedEntry& entry) {
    if (name == "creator" || name == "author") set(entry.author, [&] { return text_of(node); });
    if (name == "date" || name == "issued" || name == "created")
      set(entry.published, [&] { return feed_date(document_.text(node)); });
    if (name == "modified") set(entry.updated, [&] { return feed_date(document_.text(node)); });
    if (name == "subject") add_category(node, entry);
    if (name == "description") set(found_.media_text, [&] { return text_of(node); });
    if (name == "title") set(found_.media_title, [&] { return text_of(node); });
    if (name == "identifier") set(entry.id, [&] { return text_of(node); });
  }

  // The texts of media:group and media:content count, too.
  void read_media(NodeId node, const std::string& name, FeedEntry& entry) {
    if (name == "title") set(found_.media_title, [&] { return text_of(node); });
    if (name == "description") set(found_.media_text, [&] { return text_of(node); });
    if (name == "credit") set(entry.author, [&] { return text_of(node); });
    if (name == "keywords" || name == "category") {
      for (const std::string_view each : split(document_.text(node), ','))
        add_category(FeedText::collapsed(each), entry);
    }
    if (name != "group" && name != "content") return;
    for_each_child(node, [&](NodeId child) {
      if (vocabulary_of(child) != Vocabulary::media) return;
      const std::string inner = name_of(child);
      if (inner == "title") set(found_.media_title, [&] { return text_of(child); });
      if (inner == "description") set(found_.media_text, [&] { return text_of(child); });
    });
  }

  void read_link(NodeId node, FeedEntry& entry) {
    const auto href = document_.attribute(node, "href");
    if (!href) return set(entry.link, [&] { return absolute(node, document_.text(node)); });
    const std::string relation =
        to_lower_ascii(trim(document_.attribute(node, "rel").value_or("alternate")));
    if (relation == "alternate" || relation.empty())
      set(entry.link, [&] { return absolute(node, *href); });
    else if (relation == "self" || relation == "related" || relation == "via")
      set(found_.permalink, [&] { return absolute(node, *href); });
  }

  // A guid is a link unless it says that it is none.
  void read_id(NodeId node, const std::string& name, FeedEntry& entry) {
    const std::string id = FeedText::collapsed(document_.text(node));
    if (!id.empty()) entry.id = id;
    const auto is_link = document_.attribute(node, "isPermaLink");
    const bool is_other = is_link && equals_ignoring_case(trim(*is_link), "false");
    if (name == "guid" && !is_other && (id.starts_with("http://") || id.starts_with("https://")))
      set(found_.permalink, [&] { return absolute(node, id); });
  }

  void add_category(NodeId node, FeedEntry& entry) {
    std::string name = text_of(node);
    if (name.empty()) name = FeedText::collapsed(document_.attribute(node, "term").value_or(""));
    if (name.empty()) name = FeedText::collapsed(document_.attribute(node, "label").value_or(""));
    add_category(std::move(name), entry);
  }

  static void add_category(std::string name, FeedEntry& entry) {
    constexpr std::size_t kMostCategories = 100;
    auto& all = entry.categories;
    const bool is_known = std::find(all.begin(), all.end(), name) != all.end();
    if (!name.empty() && !is_known && all.size() < kMostCategories) all.push_back(std::move(name));
  }

  // <author><name>Eve</name></author>, "Eve", "eve@example.com (Eve)".
  std::string author_of(NodeId node) {
    std::string name;
    for_each_child(node, [&](NodeId child) {
      if (name_of(child) == "name") set(name, [&] { return text_of(child); });
    });
    if (name.empty()) name = text_of(node);
    const std::size_t open = name.find('(');
    const std::size_t mail = name.find('@');
    if (mail < open && open != std::string::npos && name.ends_with(')'))
      return FeedText::collapsed(std::string_view(name).substr(open + 1, name.size() - open - 2));
    return name;
  }

  // Markup is there as elements (Atom's xhtml), or escaped in the text.
  std::string text_of(NodeId node) {
    if (document_.first_child_element(node) != kNoNode) return html::readable_text(document_, node);
    const auto type = document_.attribute(node, "type");
    if (type && (*type == "text" || *type == "text/plain"))
      return FeedText::collapsed(document_.text(node));
    return text_.plain(document_.text(node));
  }

  std::string absolute(NodeId node, std::string_view reference) {
    const std::string_view trimmed = trim(reference);
    return trimmed.empty() ? std::string() : absolute_link(base_of(node), trimmed);
  }

  // The page's URL, changed by every xml:base on the way to the node.
  Url base_of(NodeId node) {
    const html::NameId name = document_.find_name("xml:base");
    if (name == html::kNoName) return page_url_;
    std::vector<std::string_view> bases;
    for (; node != kNoNode; node = document_.parent(node))
      if (document_.is_element(node))
        if (const auto base = document_.attribute(node, name)) bases.push_back(*base);
    Url url = page_url_;
    for (auto base = bases.rbegin(); base != bases.rend(); ++base)
      if (auto resolved = url.resolve(trim(*base))) url = *std::move(resolved);
    return url;
  }

  // Parts of the current entry that count only when others are missing.
  struct Found {
    std::string permalink;
    std::string content;
    std::string media_title;
    std::string media_text;
  };

  const Document& document_;
  const Url& page_url_;
  const FeedText& text_;
  std::string feed_author_;
  Found found_;
};

}  // namespace

Feed read_xml_feed(const Document& document, const Url& page_url, const FeedText& text) {
  return XmlFeedReader(document, page_url, text).read();
}

}  // namespace heddle::pages
