#include "pipeline/extract.hpp"

#include <re2/re2.h>

#include "base/text.hpp"
#include "html/links.hpp"
#include "html/text.hpp"
#include "net/charset/charset.hpp"

namespace heddle::pipeline {

namespace {

using Clock = std::chrono::steady_clock;

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
  for (const std::string_view family : {"image/", "video/", "audio/", "font/", "application/pdf",
                                        "application/zip", "application/octet-stream"})
    if (lower.starts_with(family) && !lower.starts_with("image/svg")) return true;
  return false;
}

// The first group if there is one, else the whole match; empty without a match.
std::string apply_regex(const re2::RE2& regex, const std::string& text) {
  re2::StringPiece found[2];
  const int groups = regex.NumberOfCapturingGroups() > 0 ? 2 : 1;
  if (!regex.Match(text, 0, text.size(), re2::RE2::UNANCHORED, found, groups)) return {};
  return found[groups - 1].as_string();
}

class PageReader {
 public:
  // For all selects of a page together, because they block the loop: a second or two.
  static constexpr std::size_t kMaxSteps = 20'000'000;

  PageReader(const JobPlan& plan, const html::Document& document, const Url& base)
      : plan_(plan), document_(document), base_(base) {}

  Result<std::vector<Item>> read_items(std::size_t& matches) {
    std::vector<html::NodeId> containers;
    if (plan_.container) {
      auto selected =
          html::select(document_, *plan_.container, document_.root(), containers, budget_);
      if (!selected) return std::move(selected.error());
    } else {
      containers.push_back(document_.root());
    }
    matches = containers.size();
    std::vector<Item> items;
    items.reserve(containers.size());
    for (const html::NodeId container : containers) {
      auto item = read_item(container);
      if (!item) return std::move(item.error());
      if (!is_blank(*item)) items.push_back(std::move(*item));
    }
    return items;
  }

 private:
  static bool is_blank(const Item& item) {
    for (const Field& field : item.fields)
      if (!field.second.empty()) return false;
    return true;
  }

  Result<Item> read_item(html::NodeId container) {
    Item item;
    item.fields.reserve(plan_.fields.size());
    for (const FieldPlan& field : plan_.fields) {
      auto value = read_field(field, container);
      if (!value) return std::move(value.error());
      item.fields.emplace_back(field.rule.name, std::move(*value));
    }
    return item;
  }

  Result<std::string> read_field(const FieldPlan& field, html::NodeId container) {
    html::NodeId node = container;
    if (field.selector) {
      auto found = html::select_first_inclusive(document_, *field.selector, container, budget_);
      if (!found) return std::move(found.error());
      if (!*found) return std::string();
      node = **found;
    }
    std::string value = raw_value(field, node);
    if (field.regex) value = apply_regex(*field.regex, value);
    return value;
  }

  std::string raw_value(const FieldPlan& field, html::NodeId node) {
    if (field.rule.attribute.empty()) return text_of(field, node);
    const auto attribute = document_.attribute(node, field.rule.attribute);
    if (!attribute) return {};
    if (field.is_link) return absolute_link(base_, *attribute);
    return std::string(trim(*attribute));
  }

  // The price that counts is the one that is not crossed out.
  std::string text_of(const FieldPlan& field, html::NodeId node) {
    if (field.rule.type == FieldType::money)
      if (auto text = html::text_without_struck(document_, node); !text.empty()) return text;
    return html::readable_text(document_, node);
  }

  const JobPlan& plan_;
  const html::Document& document_;
  const Url& base_;
  html::SelectBudget budget_{{.max_steps = kMaxSteps}};
};

}  // namespace

Extracted take_body(FetchResponse& response) {
  Extracted out;
  out.is_binary = is_binary(response);
  if (out.is_binary) return out;
  auto mark = Clock::now();
  const std::string* type = find_header(response.headers, "content-type");
  out.body = net::decode_to_utf8(std::move(response.body), type != nullptr ? *type : "").text;
  out.cost.decode = since(mark);
  return out;
}

Status extract(html::Parser& parser, const JobPlan& plan, const std::string& url, Extracted& page) {
  if (page.is_binary) return Done{};
  auto mark = Clock::now();
  const html::ParseLimits limits{.max_nodes = static_cast<std::size_t>(plan.job.limits.nodes),
                                 .max_depth = static_cast<std::size_t>(plan.job.limits.html_depth)};
  auto document = parser.parse(page.body, limits);
  if (!document) return std::move(document.error());
  page.cost.parse = since(mark);

  auto page_url = Url::parse(url);
  if (!page_url) return std::move(page_url.error());
  const Url base = html::document_base(*document, *page_url);
  auto items = PageReader(plan, *document, base).read_items(page.selector_matches);
  if (!items) return std::move(items.error());
  page.items = std::move(*items);
  std::string text = html::readable_text(*document, document->root());
  plan.page_secrets.apply(text);  // a new value of a secret is no change of the page
  page.text_hash = hash128(text);
  page.cost.select = since(mark);
  return Done{};
}

}  // namespace heddle::pipeline
