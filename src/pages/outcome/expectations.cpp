#include "pages/outcome/expectations.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/quantity.hpp"
#include "base/text.hpp"
#include "html/names.hpp"
#include "html/text.hpp"
#include "model/web/url.hpp"
#include "pages/source/source_document.hpp"

namespace heddle::pages {

namespace {

constexpr int kOk = 200;
constexpr int kNotModified = 304;
constexpr std::size_t kShownText = 100;  // bytes of the page in a message
constexpr std::size_t kShownBefore = 30;

RunError broken(std::string message) {
  return {ErrorKind::expectation, std::move(message), ""};
}

// With one blank for each run of white space, without any at the ends.
std::string with_single_blanks(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : trim(text)) {
    const bool is_blank = trim(std::string_view(&c, 1)).empty();
    if (!is_blank)
      out += c;
    else if (out.back() != ' ')
      out += ' ';
  }
  return out;
}

// The page, or a part of it, for a message.
std::string quoted_part(std::string_view text, std::size_t from) {
  while (from > 0 && (static_cast<unsigned char>(text[from]) & 0xC0U) == 0x80U) --from;
  const std::string_view part = utf8_prefix(text.substr(from), kShownText);
  return fmt::format("\"{}{}{}\"", from > 0 ? "…" : "", part,
                     from + part.size() < text.size() ? "…" : "");
}

std::string text_of_html(const html::Document& page) {
  std::string text;
  const auto end = static_cast<html::NodeId>(page.size());
  for (html::NodeId node = 1; node < end; ++node) {
    if (!page.is_element(node) || page.tag(node) != html::known("title")) continue;
    text = html::readable_text(page, node) + "\n";
    break;
  }
  html::append_readable_text(page, html::Document::root(), text);
  return text;
}

std::string status_text(const ExpectRule& rule) {
  if (rule.status.empty()) return "200-299";
  std::vector<std::string> ranges;
  for (const StatusRange& range : rule.status)
    ranges.push_back(range.first == range.last ? fmt::format("{}", range.first)
                                               : fmt::format("{}-{}", range.first, range.last));
  return fmt::format("{}", fmt::join(ranges, ", "));
}

std::string slowness(const ExpectRule& rule, const FetchResponse& response) {
  if (!rule.max_time || response.time <= *rule.max_time) return {};
  const auto took = std::chrono::ceil<std::chrono::milliseconds>(response.time);
  return fmt::format("the page took {} ms, expected at most {} ms", took.count(),
                     rule.max_time->count());
}

std::string expiry(const ExpectRule& rule, const FetchResponse& response, WallTime now) {
  if (!rule.tls_days || !response.certificate_expires_at) return {};
  const WallTime end = *response.certificate_expires_at;
  if (end - now >= std::chrono::days(*rule.tls_days)) return {};
  const auto url = Url::parse(response.url);
  const auto left =
      std::max(std::chrono::days(0), std::chrono::floor<std::chrono::days>(end - now));
  return fmt::format("the certificate of {} is valid for {} (until {}), expected at least {}",
                     url ? url->host() : "the site", counted(left.count(), "day"),
                     to_iso8601(end).substr(0, 10), *rule.tls_days);
}

}  // namespace

Result<std::string> text_to_check(html::Parser& parser, const DecodedBody& page,
                                  const html::ParseLimits& limits) {
  const PageFormat format = page.format == PageFormat::detected
                                ? detect_format(page.content_type, page.body)
                                : page.format;
  if (format != PageFormat::html) return std::string(page.body);
  auto document = parser.parse(page.body, limits);
  if (!document) return std::move(document).error();
  return text_of_html(*document);
}

RunError judge_text(const ExpectRule& rule, std::string_view text) {
  const std::string shown = with_single_blanks(text);
  const std::string folded = fold_case(shown);
  const auto find = [&folded](std::string_view wanted) {
    return folded.find(fold_case(with_single_blanks(wanted)));
  };
  std::vector<std::string_view> missing;
  for (const std::string& wanted : rule.contains)
    if (find(wanted) == std::string::npos) missing.push_back(wanted);
  if (!missing.empty())
    return broken(
        fmt::format("expected \"{}\" on the page; {}", fmt::join(missing, "\" and \""),
                    shown.empty() ? "it has no text" : "it begins with " + quoted_part(shown, 0)));
  for (const std::string& unwanted : rule.not_contains) {
    const std::size_t at = find(unwanted);
    if (at == std::string::npos) continue;
    const bool has_same_places = folded.size() == shown.size();
    return broken(fmt::format(
        "found \"{}\" on the page, which must not be there: {}", unwanted,
        quoted_part(has_same_places ? shown : folded, at - std::min(at, kShownBefore))));
  }
  return {};
}

RunError judge_item_count(const ExpectRule& rule, std::int64_t items) {
  if (!rule.min_items || items >= *rule.min_items) return {};
  return broken(fmt::format("expected at least {} on the page; it has {}",
                            counted(*rule.min_items, "item"), items));
}

// A server answers 304 in place of 200.
bool accepts_status(const ExpectRule& rule, int http_status) {
  return rule.accepts(http_status == kNotModified ? kOk : http_status);
}

RunError broken_status(const ExpectRule& rule, std::string_view answer) {
  return broken(fmt::format("{}; expected status {}", answer, status_text(rule)));
}

RunError judge_service(const ExpectRule& rule, const FetchResponse& response, WallTime now) {
  std::string message = slowness(rule, response);
  const std::string certificate = expiry(rule, response, now);
  if (!message.empty() && !certificate.empty()) message += "; ";
  message += certificate;
  return message.empty() ? RunError{} : broken(std::move(message));
}

}  // namespace heddle::pages
