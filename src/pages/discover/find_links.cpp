#include "pages/discover/find_links.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_set>

#include "base/text.hpp"
#include "html/links.hpp"
#include "pages/discover/next_page.hpp"
#include "pages/discover/visit_url.hpp"
#include "pages/outline/outline.hpp"

namespace heddle::pages {

using html::known;
using html::NodeId;

namespace {

constexpr std::size_t kMostLinks = 10'000;  // of one page
constexpr std::size_t kLongestUrl = 4096;

// Files that are no pages. In order of their kinds: pictures, sound and film, archives, the rest.
constexpr auto kFileTypes = std::to_array<std::string_view>(
    {"avif", "bmp",  "gif", "heic", "ico", "jpeg", "jpg", "png",  "svg",  "tif", "tiff", "webp",
     "avi",  "flac", "m4a", "m4v",  "mkv", "mov",  "mp3", "mp4",  "mpeg", "ogg", "wav",  "webm",
     "7z",   "apk",  "bz2", "deb",  "dmg", "exe",  "gz",  "iso",  "jar",  "msi", "rar",  "rpm",
     "tar",  "tgz",  "xz",  "zip",  "css", "js",   "map", "woff", "woff2"});

bool is_file(const Url& url) {
  const std::string_view path = url.path();
  const auto dot = path.rfind('.');
  if (dot == std::string_view::npos || path.find('/', dot) != std::string_view::npos) return false;
  const std::string type = to_lower_ascii(path.substr(dot + 1));
  return std::ranges::find(kFileTypes, type) != kFileTypes.end();
}

bool follows(const DiscoverRule& rule, FollowKind kind) {
  return std::ranges::find(rule.follow, kind) != rule.follow.end();
}

// Collects links, each page once and without the page itself.
class LinkList {
 public:
  LinkList(const Url& page, const DiscoverRule& rule) : page_(page), rule_(rule) {
    visits_.insert(normalize_for_visit(page));
  }

  [[nodiscard]] bool is_full() const { return links_.size() >= kMostLinks; }

  void add(const Url& url, FollowKind kind) {
    if (url.text().size() > kLongestUrl || !may_follow(rule_, page_, url, kind)) return;
    if (visits_.insert(normalize_for_visit(url)).second)
      links_.push_back({url_to_fetch(url), kind});
  }

  std::vector<FoundLink> take() { return std::move(links_); }

 private:
  const Url& page_;
  const DiscoverRule& rule_;
  std::unordered_set<std::string> visits_;
  std::vector<FoundLink> links_;
};

void add_all_links(const html::Document& document, const Url& page, LinkList& links) {
  const Url base = html::document_base(document, page);
  const auto end = static_cast<NodeId>(document.size());
  for (NodeId node = 1; node < end && !links.is_full(); ++node) {
    if (document.tag(node) != known("a") && document.tag(node) != known("area")) continue;
    const auto href = document.attribute(node, known("href"));
    if (!href || trim(*href).empty() || trim(*href).starts_with('#')) continue;
    const auto target = base.resolve(*href);
    if (target && !is_file(*target)) links.add(*target, FollowKind::links);
  }
}

bool is_source_of_image(const FieldRule& rule) {
  return rule.attribute == "src" || rule.attribute == "data-src" || rule.attribute == "poster";
}

std::optional<Url> link_of(const Item& item, const std::vector<FieldRule>& rules) {
  std::optional<Url> first;
  for (const auto& [name, value] : item.fields) {
    if (value.size() > kLongestUrl) continue;
    auto url = Url::parse(trim(value));
    if (!url) continue;
    const auto rule = std::ranges::find(rules, name, &FieldRule::name);
    if (rule != rules.end() && rule->attribute == "href") return *std::move(url);
    const bool leads_on = rule == rules.end() || !is_source_of_image(*rule);
    if (leads_on && !first) first = *std::move(url);
  }
  return first;
}

}  // namespace

bool matches_glob(std::string_view pattern, std::string_view text) {
  std::size_t at = 0;
  std::size_t in_text = 0;
  std::size_t star = std::string_view::npos;  // the last one, and where its match ends
  std::size_t after_star = 0;
  while (in_text < text.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      after_star = in_text;
    } else if (at < pattern.size() && pattern[at] == text[in_text]) {
      ++at;
      ++in_text;
    } else if (star != std::string_view::npos) {
      at = star + 1;
      in_text = ++after_star;
    } else {
      return false;
    }
  }
  while (at < pattern.size() && pattern[at] == '*') ++at;
  return at == pattern.size();
}

bool is_same_host(const Url& a, const Url& b) {
  const auto bare = [](std::string_view host) {
    return host.starts_with("www.") ? host.substr(4) : host;
  };
  return bare(a.host()) == bare(b.host());
}

bool may_follow(const DiscoverRule& rule, const Url& from, const Url& to, FollowKind kind) {
  if (rule.same_host && !is_same_host(from, to)) return false;
  const auto matches = [&to](const std::string& glob) { return matches_glob(glob, to.text()); };
  if (std::ranges::any_of(rule.exclude, matches)) return false;
  if (kind == FollowKind::pagination || rule.include.empty()) return true;
  return std::ranges::any_of(rule.include, matches);
}

std::vector<FoundLink> find_links(const html::Document& document, const Url& page,
                                  const DiscoverRule& rule) {
  LinkList links(page, rule);
  if (follows(rule, FollowKind::pagination))
    if (const auto next = find_next_page(PageOutline(document), page))
      if (const auto url = Url::parse(next->url)) links.add(*url, FollowKind::pagination);
  if (follows(rule, FollowKind::links)) add_all_links(document, page, links);
  return links.take();
}

std::vector<FoundLink> links_of_items(const std::vector<Item>& items,
                                      const std::vector<FieldRule>& fields, const Url& page,
                                      const DiscoverRule& rule) {
  if (!follows(rule, FollowKind::items)) return {};
  LinkList links(page, rule);
  for (const Item& item : items) {
    if (links.is_full()) break;
    if (const auto url = link_of(item, fields)) links.add(*url, FollowKind::items);
  }
  return links.take();
}

}  // namespace heddle::pages
