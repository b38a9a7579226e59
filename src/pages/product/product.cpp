#include "pages/product/product.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "html/text.hpp"
#include "pages/product/offers.hpp"
#include "pages/product/visible_price.hpp"
#include "pages/values/money.hpp"

namespace heddle::pages {

using html::kNoNode;
using html::known;
using html::NodeId;

namespace {

// Scores of visible prices.
constexpr double kLikelyPrice = 1;
constexpr double kSurePrice = 6;

std::string heading_text(const PageOutline& outline) {
  if (outline.heading() == kNoNode) return {};
  return html::readable_text(outline.document(), outline.heading());
}

void read_meta(const StructuredData& data, const Url& url, ExtractedProduct& out) {
  if (out.amount.empty()) {
    for (const auto* name : {"product:sale_price:amount", "product:price:amount", "og:price:amount",
                             "product:price", "og:price"}) {
      out.amount = machine_amount(data.meta(name));
      if (out.amount.empty()) continue;
      out.price_source = "meta";
      break;
    }
  }
  if (out.currency.empty() && out.price_source == "meta") {
    for (const auto* name :
         {"product:sale_price:currency", "product:price:currency", "og:price:currency"})
      if (const auto currency = data.meta(name); !currency.empty() && out.currency.empty())
        out.currency = read_money(currency).currency.value_or(std::string(currency));
  }
  if (out.stock == StockState::unknown) {
    for (const auto* name : {"product:availability", "og:availability"})
      if (out.stock == StockState::unknown) out.stock = stock_of_value(data.meta(name));
    if (out.stock != StockState::unknown) out.stock_source = "meta";
  }
  if (out.sku.empty()) out.sku = data.meta("product:retailer_item_id");
  if (out.name.empty()) out.name = data.meta("og:title");
  for (const auto* name : {"og:image", "og:image:url", "twitter:image"})
    if (const auto image = data.meta(name); out.image.empty() && !image.empty())
      out.image = absolute_link(url, image);
}

class ShownProductReader {
 public:
  ShownProductReader(const PageOutline& outline, ExtractedProduct& out)
      : outline_(outline), buttons_(find_buy_buttons(outline)), out_(out) {
    stock_on_page_ = said_near_heading();
  }

  void read_price() {
    const auto prices = find_visible_prices(outline_, buttons_);
    if (prices.empty()) return;
    // Where a product cannot be bought, prices are mostly those of others.
    const double least = stock_on_page_ == StockState::out ? kSurePrice : kLikelyPrice;
    if (out_.amount.empty() && !prices.front().is_old && prices.front().score > least) {
      out_.amount = prices.front().amount;
      out_.price_source = "page";
      price_node_ = prices.front().node;
      if (out_.currency.empty()) out_.currency = prices.front().currency;
    }
    if (out_.currency.empty()) read_currency(prices);
    if (out_.old_amount.empty()) read_old_price(prices);
  }

  void read_stock() {
    if (out_.stock != StockState::unknown) return;
    out_.stock = stock_on_page_;
    if (out_.stock == StockState::unknown && !buttons_.empty()) out_.stock = StockState::in;
    if (out_.stock == StockState::unknown && !out_.amount.empty()) out_.stock = StockState::in;
    if (out_.stock != StockState::unknown) out_.stock_source = "page";
  }

 private:
  void read_currency(const std::vector<VisiblePrice>& prices) {
    for (const VisiblePrice& price : prices)
      if (price.amount == out_.amount && !price.currency.empty()) {
        out_.currency = price.currency;
        return;
      }
  }

  void read_old_price(const std::vector<VisiblePrice>& prices) {
    if (out_.amount.empty()) return;
    for (const VisiblePrice& price : prices) {
      const bool is_near =
          price_node_ == kNoNode ||
          (price.node > price_node_ ? price.node - price_node_ : price_node_ - price.node) < 60;
      if (price.is_old && is_near && price.amount != out_.amount &&
          outline_.is_content(price.node)) {
        out_.old_amount = price.amount;
        return;
      }
    }
  }

  // Short texts from the heading on, before related products; where there is a button that buys, a
  // text that says "out" counts only when it stands before it.
  [[nodiscard]] StockState said_near_heading() const {
    const html::Document& document = outline_.document();
    const NodeId heading = outline_.heading();
    const NodeId begin = heading == kNoNode ? 1 : heading;
    const auto end = std::min<NodeId>(static_cast<NodeId>(document.size()), begin + 2500);
    const bool can_be_bought = std::any_of(buttons_.begin(), buttons_.end(),
                                           [&](NodeId button) { return button > begin; });
    StockState said = StockState::unknown;
    for (NodeId node = begin; node < end; ++node) {
      if (document.kind(node) != html::NodeKind::text || !counts(node)) continue;
      const StockState here = stock_said(document.text(node));
      if (here == StockState::out && !can_be_bought) return here;
      if (said == StockState::unknown && here != StockState::out) said = here;
    }
    return said;
  }

  [[nodiscard]] bool counts(NodeId node) const {
    const auto length = outline_.text_length(node);
    return length > 2 && length < 60 && outline_.is_content(node) &&
           !outline_.is_in(node, Region::related) && !outline_.is_in(node, Region::comments);
  }

  const PageOutline& outline_;
  std::vector<NodeId> buttons_;
  ExtractedProduct& out_;
  StockState stock_on_page_ = StockState::unknown;
  NodeId price_node_ = kNoNode;
};

}  // namespace

ExtractedProduct extract_product(const PageOutline& outline, const StructuredData& data,
                                 const Url& url) {
  ExtractedProduct out;
  const std::string heading = heading_text(outline);
  if (const StructuredEntity* product = find_main_product(data, url, heading))
    read_structured_product(data, *product, url, out);
  read_meta(data, url, out);
  ShownProductReader reader(outline, out);
  reader.read_price();
  reader.read_stock();
  if (!heading.empty() && out.name.empty()) out.name = heading;
  return out;
}

}  // namespace heddle::pages
