#include "pipeline/extract.hpp"

#include "base/text.hpp"
#include "net/charset/charset.hpp"
#include "pages/feed/feed.hpp"
#include "pages/source/read_items.hpp"

namespace heddle::pipeline {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kSniffed = 1024;  // bytes at the start of a body

std::chrono::microseconds since(Clock::time_point& mark) {
  const auto now = Clock::now();
  const auto spent = std::chrono::duration_cast<std::chrono::microseconds>(now - mark);
  mark = now;
  return spent;
}

bool is_binary(const FetchResponse& response) {
  const std::string* type = find_header(response.headers, "content-type");
  if (type == nullptr) return false;
  const std::string lower = to_lower_ascii(*type);
  // Servers send any file whose name they do not know as one.
  if (lower.starts_with("application/octet-stream"))
    return std::string_view(response.body).substr(0, kSniffed).find('\0') != std::string_view::npos;
  for (const std::string_view family :
       {"image/", "video/", "audio/", "font/", "application/pdf", "application/zip"})
    if (lower.starts_with(family) && !lower.starts_with("image/svg")) return true;
  return false;
}

html::ParseLimits limits_of(const Job& job) {
  return {.max_nodes = static_cast<std::size_t>(job.limits.nodes),
          .max_depth = static_cast<std::size_t>(job.limits.html_depth)};
}

Hash128 hash_of_text(const JobPlan& plan, std::string text) {
  plan.page_secrets.apply(text);  // a new value of a secret is no change of the page
  return hash128(text);
}

Status extract_feed(html::Parser& parser, const JobPlan& plan, const Url& url, Extracted& page) {
  auto mark = Clock::now();
  auto feed = pages::read_feed(parser, page.body, url, {.tree = limits_of(plan.job)});
  if (!feed) {
    const bool is_too_complex = feed.error().message.starts_with("too_complex");
    if (!is_too_complex) feed.error().code = ErrorCode::corrupt;
    return std::move(feed).error();
  }
  page.cost.parse = since(mark);
  page.selector_matches = feed->entries.size();
  for (pages::FeedEntry& entry : feed->entries)
    page.items.push_back(pages::item_of(std::move(entry)));
  page.text_hash = hash_of_text(plan, page.body);
  page.cost.select = since(mark);
  return Done{};
}

Status extract_items(html::Parser& parser, const JobPlan& plan, const pages::PageResponse& response,
                     Extracted& page) {
  auto mark = Clock::now();
  auto document =
      pages::read_source(parser, plan.items, page.content_type, page.body, limits_of(plan.job));
  if (!document) return std::move(document).error();
  page.cost.parse = since(mark);
  auto read = pages::read_items(*document, plan.items, response.url);
  if (!read) return std::move(read).error();
  page.items = std::move(read->items);
  const html::Document* tree = document->tree();
  page.is_read_as_html = tree != nullptr && !tree->is_xml();
  if (tree != nullptr && page.items.empty())
    page.classified = pages::classify_empty_page(*tree, response);
  page.selector_matches = read->containers;
  page.note = std::move(document->note);
  page.text_hash = hash_of_text(plan, pages::readable_text(*document));
  page.cost.select = since(mark);
  return Done{};
}

}  // namespace

Extracted take_body(FetchResponse& response) {
  Extracted out;
  out.is_binary = is_binary(response);
  if (out.is_binary) return out;
  auto mark = Clock::now();
  const std::string* type = find_header(response.headers, "content-type");
  if (type != nullptr) out.content_type = *type;
  out.body = net::decode_to_utf8(std::move(response.body), out.content_type).text;
  out.cost.decode = since(mark);
  return out;
}

Status extract(html::Parser& parser, const JobPlan& plan, const FetchResponse& response,
               Extracted& page) {
  if (page.is_binary) return Done{};
  auto page_url = Url::parse(response.url);
  if (!page_url) return std::move(page_url.error());
  if (plan.job.watch == WatchKind::feed) return extract_feed(parser, plan, *page_url, page);
  return extract_items(parser, plan, {*page_url, response.status, &response.headers}, page);
}

}  // namespace heddle::pipeline
