#include <cstdio>
#include <cstdlib>

#include "html/parse.hpp"
#include "pages/product/product.hpp"
#include "tests/accuracy/labelled_pages.hpp"

namespace heddle::accuracy {

namespace {

std::vector<std::string> values(const boost::json::object& labels, std::string_view key) {
  std::vector<std::string> texts;
  if (const auto* list = labels.if_contains(key); list != nullptr && list->is_array())
    for (const auto& each : list->as_array()) texts.emplace_back(each.as_string());
  return texts;
}

bool is_same_amount(const std::string& a, const std::string& b) {
  return std::abs(std::atof(a.c_str()) - std::atof(b.c_str())) < 0.005;
}

struct ProductMeasures {
  Matches price, price_without_amazon, sku, in, out;
  int false_out = 0;

  void add(const LabelledPage& page, const pages::ExtractedProduct& product) {
    const auto prices = values(page.labels, "price");
    bool is_right = false;
    for (const std::string& each : prices)
      is_right |= !product.amount.empty() && is_same_amount(each, product.amount);
    price.add(page, !product.amount.empty(), !prices.empty(), is_right);
    if (page.url.host().find("amazon.") == std::string_view::npos)
      price_without_amazon.add(page, !product.amount.empty(), !prices.empty(), is_right);
    const bool is_price_wrong = !is_right && (!prices.empty() || !product.amount.empty());
    add_stock(page, product);
    const auto skus = values(page.labels, "sku");
    bool has_sku = false;
    for (const std::string& each : skus) has_sku |= each == product.sku;
    sku.add(page, !product.sku.empty(), !skus.empty(), has_sku);
    const auto stock = values(page.labels, "availability");
    const bool is_out = !stock.empty() && stock[0] == "OutOfStock";
    const bool is_stock_wrong = (product.stock == pages::StockState::out) != is_out ||
                                product.stock == pages::StockState::unknown;
    if (is_verbose() && (is_price_wrong || is_stock_wrong))
      std::printf(
          "  %s%s %s: price '%s' %s (%s), label '%s'; stock %s (%s), label %s\n", page.name.c_str(),
          page.is_held_back ? " held" : "", std::string(page.url.host()).c_str(),
          product.amount.c_str(), product.currency.c_str(), product.price_source.c_str(),
          prices.empty() ? "" : prices[0].c_str(), std::string(to_text(product.stock)).c_str(),
          product.stock_source.c_str(), stock.empty() ? "" : stock[0].c_str());
  }

  void add_stock(const LabelledPage& page, const pages::ExtractedProduct& product) {
    const auto labels = values(page.labels, "availability");
    if (labels.empty()) return;
    const bool is_in = labels[0] == "InStock";
    const bool says_in =
        product.stock == pages::StockState::in || product.stock == pages::StockState::preorder;
    const bool says_out = product.stock == pages::StockState::out;
    in.add(page, says_in, is_in, says_in && is_in);
    out.add(page, says_out, !is_in, says_out && !is_in);
    if (says_out && is_in) ++false_out;
  }
};

}  // namespace

void measure_products() {
  ProductMeasures measures;
  html::Parser parser;
  each_page("products", [&](const LabelledPage& page) {
    const auto document = parser.parse(page.body);
    if (!document) return;
    measures.add(page, pages::extract_product(pages::PageOutline(*document),
                                              pages::StructuredData::collect(*document), page.url));
  });
  const auto row = [](std::string_view name, const Matches& m, std::string_view aim) {
    print_row(name, m.all(), m.of(0), m.of(1), aim);
  };
  row("product: price F1", measures.price, ">= 0.85 (0.918)");
  row("product: price F1 without Amazon", measures.price_without_amazon, "");
  const auto macro = [&](auto value) { return (value(measures.in) + value(measures.out)) / 2; };
  print_row("product: availability macro-F1", macro([](const Matches& m) { return m.all(); }),
            macro([](const Matches& m) { return m.of(0); }),
            macro([](const Matches& m) { return m.of(1); }), ">= 0.80 (0.90)");
  print_row("product: false 'out' (pages)", measures.false_out, 0, 0, "<= 1");
  row("product: sku F1", measures.sku, "");
}

}  // namespace heddle::accuracy
