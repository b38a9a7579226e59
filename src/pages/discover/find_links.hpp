// Finds the links of a page that lead discovery on, as its rule says. Pure and deterministic.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "html/document.hpp"
#include "model/job/job.hpp"
#include "model/run/item.hpp"
#include "model/web/url.hpp"

namespace heddle::pages {

struct FoundLink {
  std::string url;  // absolute, as url_to_fetch() gives it
  FollowKind kind = FollowKind::links;
};

// `*` stands for any characters, also none and also "/"; all others stand for themselves. The
// pattern describes the whole text.
bool matches_glob(std::string_view pattern, std::string_view text);

// Whether both are one site: their hosts are equal, with or without "www.".
bool is_same_host(const Url& a, const Url& b);

// Whether the rule lets a page at `from` lead to `to`. `include` does not concern the next pages of
// a listing: they look like the listing.
bool may_follow(const DiscoverRule& rule, const Url& from, const Url& to, FollowKind kind);

// The next page and the links of an HTML page, each URL once, in page order after the next page.
std::vector<FoundLink> find_links(const html::Document& document, const Url& page,
                                  const DiscoverRule& rule);

// Where the items of a page lead: of each the first field that is an http(s) URL, preferably one
// that is read from `href`; not the source of an image.
std::vector<FoundLink> links_of_items(const std::vector<Item>& items,
                                      const std::vector<FieldRule>& fields, const Url& page,
                                      const DiscoverRule& rule);

}  // namespace heddle::pages
