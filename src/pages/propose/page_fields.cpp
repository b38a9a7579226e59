#include "pages/propose/page_fields.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <string_view>

#include "html/selector.hpp"
#include "html/text.hpp"
#include "pages/infer/selector_writer.hpp"
#include "pages/product/offers.hpp"
#include "pages/product/visible_price.hpp"
#include "pages/values/money.hpp"

namespace heddle::pages {

namespace {

constexpr std::size_t kMaxPriceNodes = 10;
constexpr std::size_t kMaxSteps = 5'000'000;  // of selectors that are tried

bool is_same_amount(std::string_view one, std::string_view other) {
  if (one.empty() || other.empty()) return false;
  const double difference = std::strtod(std::string(one).c_str(), nullptr) -
                            std::strtod(std::string(other).c_str(), nullptr);
  return std::abs(difference) < 0.001;
}

// "css" or "css@attribute"; a JSONPath begins with "$".
FieldRule field_of(std::string name, std::string_view text) {
  FieldRule rule;
  rule.name = std::move(name);
  rule.kind = selector_kind(text);
  const std::size_t mark =
      rule.kind == SelectorKind::css ? text.rfind('@') : std::string_view::npos;
  rule.selector = text.substr(0, mark);
  if (mark != std::string_view::npos) rule.attribute = text.substr(mark + 1);
  if (rule.name == "price") rule.type = FieldType::money;
  return rule;
}

// Adds the fields of one candidate, each with the first selector whose value is the right one.
class PageFieldChooser {
 public:
  PageFieldChooser(CandidateReader& reader, WatchCandidate& candidate)
      : reader_(reader), candidate_(candidate) {}

  template <class IsRight>
  bool add(const std::string& name, std::initializer_list<std::string_view> selectors,
           IsRight is_right) {
    for (const std::string_view text : selectors)
      if (add_one(field_of(name, text), is_right)) return true;
    return false;
  }

  template <class IsRight>
  bool add_one(FieldRule rule, IsRight is_right) {
    WatchCandidate alone;
    alone.json_in = candidate_.json_in;
    alone.selector = candidate_.selector;
    alone.fields = {rule};
    const std::vector<Item> items = reader_.read(alone);
    if (items.size() != 1 || !is_right(items.front().fields.front().second)) return false;
    candidate_.fields.push_back(std::move(rule));
    return true;
  }

 private:
  CandidateReader& reader_;
  WatchCandidate& candidate_;
};

bool is_present(const std::string& value) {
  return !value.empty();
}

class ProductFields {
 public:
  ProductFields(const PageFieldSearch& search, const ExtractedProduct& product)
      : search_(search), product_(product) {}

  std::optional<WatchCandidate> in_page() {
    WatchCandidate candidate;
    PageFieldChooser fields(search_.reader, candidate);
    fields.add("name",
               {"h1", "[itemprop=\"name\"]@content", "[itemprop=\"name\"]",
                "meta[property=\"og:title\"]@content", "title"},
               is_present);
    const bool has_price = add_price(fields);
    const bool has_stock = fields.add(
        "stock",
        {"[itemprop=\"availability\"]@href", "[itemprop=\"availability\"]@content",
         "[itemprop=\"availability\"]", "meta[property=\"product:availability\"]@content",
         "meta[property=\"og:availability\"]@content"},
        [&](const std::string& value) { return is_stock(value); });
    if (has_price || (product_.amount.empty() && has_stock)) return candidate;
    return std::nullopt;
  }

  // In the JSON-LD of the page.
  std::optional<WatchCandidate> in_json() {
    for (const char* script : {R"(script[type="application/ld+json"])",
                               R"(script[type="application/ld+json"]:contains("Product"))"}) {
      for (const char* container :
           {"$", "$[?@['@type']=='Product']", "$['@graph'][?@['@type']=='Product']"}) {
        WatchCandidate candidate;
        candidate.json_in = script;
        candidate.selector = container;
        PageFieldChooser fields(search_.reader, candidate);
        fields.add("name", {"$.name"}, is_present);
        if (!fields.add(
                "price",
                {"$.offers.price", "$.offers[0].price", "$.offers.lowPrice", "$.offers..price"},
                [&](const std::string& value) { return is_price(value); }))
          continue;
        fields.add(
            "currency",
            {"$.offers.priceCurrency", "$.offers[0].priceCurrency", "$.offers..priceCurrency"},
            is_present);
        fields.add("stock", {"$.offers.availability", "$.offers[0].availability"},
                   [&](const std::string& value) { return is_stock(value); });
        return candidate;
      }
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] bool is_price(const std::string& value) const {
    const Money money = read_money(value);
    return money.amount && is_same_amount(*money.amount, product_.amount);
  }
  [[nodiscard]] bool is_stock(const std::string& value) const {
    return product_.stock != StockState::unknown && stock_of_value(value) == product_.stock;
  }

  // Machine-readable prices last longer than classes; what the page shows has its currency.
  bool add_price(PageFieldChooser& fields) {
    if (product_.amount.empty()) return false;
    const auto is_right = [&](const std::string& value) { return is_price(value); };
    if (fields.add("price", {"[itemprop=\"price\"]@content", "[itemprop=\"price\"]"}, is_right)) {
      fields.add("currency",
                 {"[itemprop=\"priceCurrency\"]@content", "[itemprop=\"priceCurrency\"]"},
                 is_present);
      return true;
    }
    if (fields.add("price",
                   {"meta[property=\"product:sale_price:amount\"]@content",
                    "meta[property=\"product:price:amount\"]@content",
                    "meta[property=\"og:price:amount\"]@content"},
                   is_right)) {
      fields.add("currency",
                 {"meta[property=\"product:price:currency\"]@content",
                  "meta[property=\"og:price:currency\"]@content"},
                 is_present);
      return true;
    }
    return add_shown_price(fields, is_right);
  }

  template <class IsRight>
  bool add_shown_price(PageFieldChooser& fields, IsRight is_right) {
    const PageShapes shapes(search_.outline);
    html::SelectBudget budget({.max_steps = kMaxSteps});
    SelectorWriter writer(shapes, budget);
    std::size_t tried = 0;
    const auto buttons = find_buy_buttons(search_.outline);
    for (const VisiblePrice& price : find_visible_prices(search_.outline, buttons)) {
      if (price.is_old || !is_same_amount(price.amount, product_.amount)) continue;
      if (++tried > kMaxPriceNodes) break;
      const auto written = writer.write_blocks({price.node});
      if (written && fields.add("price", {written->css}, is_right)) return true;
    }
    return false;
  }

  const PageFieldSearch& search_;
  const ExtractedProduct& product_;
};

// The element that holds the text of the page; empty when only the body does.
std::string_view text_element(const html::Document& document) {
  for (const std::string_view css : {"article", "main", "[role=\"main\"]"}) {
    std::vector<html::NodeId> found;
    const auto selector = html::Selector::compile(css);
    if (selector && html::select(document, *selector, html::Document::root(), found) &&
        found.size() == 1)
      return css;
  }
  return {};
}

// The page is one item, which its name identifies however its other fields change.
void follow_by(std::string_view field, WatchCandidate& candidate) {
  for (const FieldRule& rule : candidate.fields)
    if (rule.name == field) candidate.key = {rule.name};
}

}  // namespace

std::optional<WatchCandidate> find_product_fields(const PageFieldSearch& search,
                                                  const ExtractedProduct& product) {
  ProductFields fields(search, product);
  auto found = fields.in_page();
  if (!found) found = fields.in_json();
  if (!found || !search.reader.complete(*found)) return std::nullopt;
  follow_by("name", *found);
  found->description = "one product";
  if (!product.price_source.empty())
    found->reasons.push_back("a price (" + product.price_source + ")");
  return found;
}

std::optional<WatchCandidate> find_article_fields(const PageFieldSearch& search) {
  WatchCandidate candidate;
  PageFieldChooser fields(search.reader, candidate);
  const bool has_title =
      fields.add("title", {"h1", "meta[property=\"og:title\"]@content", "title"}, is_present);
  fields.add("date",
             {"meta[property=\"article:modified_time\"]@content",
              "meta[property=\"og:updated_time\"]@content", "[itemprop=\"dateModified\"]@content",
              "meta[property=\"article:published_time\"]@content",
              "[itemprop=\"datePublished\"]@content", "time[datetime]@datetime"},
             is_present);
  const std::string_view element = text_element(search.outline.document());
  const bool has_text =
      fields.add("text", {element.empty() ? std::string_view("body") : element}, is_present);
  if ((!has_title && !has_text) || !search.reader.complete(candidate)) return std::nullopt;
  follow_by("title", candidate);
  candidate.description = "the text of the page";
  if (!element.empty()) candidate.reasons.push_back("the text of <" + std::string(element) + ">");
  return candidate;
}

}  // namespace heddle::pages
