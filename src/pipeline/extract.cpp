#include "pipeline/extract.hpp"

#include "base/text.hpp"
#include "html/text.hpp"
#include "net/charset/charset.hpp"
#include "pages/feed/feed.hpp"
#include "pages/product/product_item.hpp"
#include "pages/source/file_item.hpp"
#include "pages/source/read_items.hpp"
#include "pipeline/page_text.hpp"

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
  if (plan.job.discover.is_enabled) {
    page.links.emplace();
    if (page.is_read_as_html)
      page.links = pages::find_links(*tree, response.url, plan.job.discover);
  }
  if (tree != nullptr && page.items.empty())
    page.classified = pages::classify_empty_page(*tree, response);
  page.selector_matches = read->containers;
  page.note = std::move(document->note);
  auto text = plan.text.leaves_out() ? pages::text_without_ignored(*document, plan.text)
                                     : Result<std::string>(pages::readable_text(*document));
  if (!text) return std::move(text).error();
  page.text_hash = hash_of_text(plan, *std::move(text));
  page.cost.select = since(mark);
  return Done{};
}

Status extract_product(html::Parser& parser, const JobPlan& plan, const std::string& page_url,
                       const pages::PageResponse& response, Extracted& page) {
  auto mark = Clock::now();
  auto document = parser.parse(page.body, limits_of(plan.job));
  if (!document) return std::move(document).error();
  page.cost.parse = since(mark);
  page.is_read_as_html = true;
  const pages::PageOutline outline(*document);
  const auto data = pages::StructuredData::collect(*document);
  const auto classified = pages::classify_page(outline, data, response);
  if (!pages::is_failure(classified.page_class))
    if (auto item = item_of(pages::extract_product(outline, data, response.url), page_url))
      page.items.push_back(*std::move(item));
  if (page.items.empty()) page.classified = classified;
  page.selector_matches = page.items.size();
  page.text_hash = hash_of_text(plan, html::readable_text(*document, html::Document::root()));
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

Status extract(html::Parser& parser, const JobPlan& plan, const std::string& page_url,
               const FetchResponse& response, Extracted& page) {
  if (plan.job.watch == WatchKind::file) {
    page.selector_matches = page.items.size();
    if (!page.items.empty()) page.text_hash = hash128(page.items.front().fields[1].second);
    return Done{};
  }
  if (page.is_binary) return Done{};
  auto url = Url::parse(response.url);
  if (!url) return std::move(url.error());
  const pages::PageResponse facts{*url, response.status, &response.headers};
  switch (plan.job.watch) {
    case WatchKind::feed:
      return extract_feed(parser, plan, *url, page);
    case WatchKind::text:
      return extract_text(parser, plan, facts, page);
    case WatchKind::product:
      return extract_product(parser, plan, page_url, facts, page);
    default:
      return extract_items(parser, plan, facts, page);
  }
}

std::vector<Item> items_of_file(const JobPlan& plan, const std::string& page_url,
                                const FetchResponse& response) {
  if (plan.job.watch != WatchKind::file) return {};
  const std::string* type = find_header(response.headers, "content-type");
  return {pages::item_of_file(page_url, response.body, type == nullptr ? "" : *type)};
}

void extract_links(html::Parser& parser, const JobPlan& plan, const FetchResponse& response,
                   Extracted& page) {
  page.links.emplace();
  const auto url = Url::parse(response.url);
  const bool is_html =
      !page.is_binary && pages::detect_format(page.content_type, page.body) == PageFormat::html;
  if (!url || !is_html) return;
  const auto document = parser.parse(page.body, limits_of(plan.job));
  if (document) page.links = pages::find_links(*document, *url, plan.job.discover);
}

}  // namespace heddle::pipeline
