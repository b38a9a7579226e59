#include "pages/product/visible_price.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>

#include "base/hash.hpp"
#include "html/text.hpp"
#include "pages/product/stock.hpp"
#include "pages/values/money.hpp"

namespace heddle::pages {

using html::kNoNode;
using html::known;
using html::NodeId;

namespace {

constexpr std::uint32_t kMaxPriceText = 34;
constexpr std::size_t kMaxPrices = 400;
constexpr std::size_t kMaxRanked = 50;

struct NameSigns {
  bool price = false;
  bool current = false;
  bool old = false;
  bool other = false;  // shipping, savings, installments, units
  bool cart = false;
};

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

void add_signs(std::string_view names, NameSigns& signs) {
  each_name_word(names, [&](std::string_view word) {
    signs.price |= word.find("price") != std::string_view::npos ||
                   is_one_of(word, {"preis", "prix", "precio", "prezzo", "preco", "cena", "prijs",
                                    "pris", "amount", "prc", "cost", "hinta", "pret", "ar"});
    signs.current |= is_one_of(word, {"current", "sale", "special", "final", "now", "our", "actual",
                                      "main", "buy", "sales", "offer", "today", "selling", "deal"});
    signs.old |=
        is_one_of(word, {"old", "was", "strike", "striked", "struck", "strikethrough", "crossed",
                         "listprice", "rrp", "msrp", "uvp", "before", "previous", "original",
                         "retail", "oldprice", "pvp", "through", "omnibus"});
    signs.other |= is_one_of(
        word,
        {"shipping", "delivery",    "save",         "saving",   "savings",  "saved",  "discount",
         "unit",     "installment", "installments", "monthly",  "month",    "coupon", "deposit",
         "points",   "tradein",     "versand",      "fee",      "fees",     "tax",    "per",
         "rate",     "financing",   "subscription", "warranty", "rating",   "review", "reviews",
         "gift",     "ppu",         "filter",       "total",    "subtotal", "voucher"});
    signs.cart |= is_one_of(word, {"minicart", "wishlist", "compare", "recently"});
  });
}

NameSigns signs_around(const html::Document& document, NodeId node, int levels) {
  NameSigns signs;
  for (int i = 0; i < levels && node != kNoNode && document.is_element(node); ++i) {
    add_signs(document.class_names(node), signs);
    add_signs(document.id(node), signs);
    if (i < 2) {
      for (const auto* name :
           {"data-testid", "data-test", "data-qa", "data-price-type", "itemprop"})
        if (const auto value = document.attribute(node, name)) add_signs(*value, signs);
    }
    const auto tag = document.tag(node);
    signs.old |= tag == known("del") || tag == known("s") || tag == known("strike");
    node = document.parent(node);
  }
  return signs;
}

bool is_ascii_digit(char c) {
  return c >= '0' && c <= '9';
}

bool has_digit(std::string_view text) {
  return text.find_first_of("0123456789") != std::string_view::npos ||
         text.find("\xD9") != std::string_view::npos;
}

class PriceSearch {
 public:
  PriceSearch(const PageOutline& outline, const std::vector<NodeId>& buttons)
      : outline_(outline), document_(outline.document()), buttons_(buttons) {}

  std::vector<VisiblePrice> run() {
    const auto end = static_cast<NodeId>(document_.size());
    for (NodeId node = 1; node < end && found_.size() < kMaxPrices; ++node)
      if (document_.kind(node) == html::NodeKind::text && outline_.is_shown(node)) visit_text(node);
    count_repeats();
    for (VisiblePrice& price : found_) price.score = score_of(price);
    const bool all_old =
        std::all_of(found_.begin(), found_.end(), [](const auto& price) { return price.is_old; });
    if (all_old)
      for (VisiblePrice& price : found_) price.is_old = false;
    std::stable_sort(found_.begin(), found_.end(),
                     [](const VisiblePrice& a, const VisiblePrice& b) {
                       return a.is_old != b.is_old ? b.is_old : a.score > b.score;
                     });
    prefer_lower_neighbour();
    if (found_.size() > kMaxRanked) found_.resize(kMaxRanked);
    return std::move(found_);
  }

 private:
  // Markup often sets the cents apart without a mark: "$229<sup>99</sup>".
  std::string price_text(NodeId node) const {
    std::string text = text_of(node);
    const NodeId end = document_.subtree_end(node);
    std::string_view before;
    for (NodeId inner = node + 1; inner < end; ++inner) {
      if (document_.kind(inner) != html::NodeKind::text) continue;
      const std::string_view part = document_.text(inner);
      const bool is_cents = part.size() == 2 && is_ascii_digit(part[0]) && is_ascii_digit(part[1]);
      if (is_cents && !before.empty() && is_ascii_digit(before.back())) {
        const std::string joined =
            std::string(before.substr(before.find_last_not_of("0123456789") + 1));
        const std::size_t at = text.find(joined + std::string(part));
        if (at != std::string::npos) text.insert(at + joined.size(), ".");
      }
      before = part;
    }
    return text;
  }

  // "1080p" and "5 ct" are prices only where the markup says so.
  static bool is_sure(const Money& money, std::string_view text) {
    if (!money.currency) return false;
    if (*money.currency != "GBP") return true;
    return text.find("£") != std::string_view::npos || text.find("GBP") != std::string_view::npos;
  }

  void visit_text(NodeId text_node) {
    if (outline_.text_length(text_node) > kMaxPriceText || !has_digit(document_.text(text_node)))
      return;
    NodeId node = document_.parent(text_node);
    for (int level = 0; level < 4 && node != kNoNode; ++level, node = document_.parent(node)) {
      if (outline_.text_length(node) > kMaxPriceText) return;
      const std::string text = price_text(node);
      const Money money = read_money(text);
      if (!money.amount || (!is_sure(money, text) && !is_marked(node, level))) continue;
      return add(node, money);
    }
  }

  std::string text_of(NodeId node) const {
    const auto tag = document_.tag(node);
    const bool is_struck = tag == known("del") || tag == known("s") || tag == known("strike");
    return is_struck ? html::readable_text(document_, node)
                     : html::text_without_struck(document_, node);
  }

  // A number without a currency is a price only where the markup says so.
  bool is_marked(NodeId node, int level) const {
    if (level > 0) return false;
    const NameSigns signs = signs_around(document_, node, 2);
    return signs.price && !signs.other && next_up_has_no_currency(node);
  }

  bool next_up_has_no_currency(NodeId node) const {
    for (int level = 0; level < 2; ++level) {
      node = document_.parent(node);
      if (node == kNoNode || outline_.text_length(node) > kMaxPriceText) return true;
      if (read_money(text_of(node)).currency) return false;
    }
    return true;
  }

  void add(NodeId node, Money money) {
    // "<b>$12</b><sup>99</sup>": the parent has the whole price.
    const NodeId parent = document_.parent(node);
    if (parent != kNoNode && outline_.text_length(parent) <= outline_.text_length(node) + 4 &&
        outline_.text_length(parent) > outline_.text_length(node)) {
      const Money whole = read_money(price_text(parent));
      if (whole.amount && whole.amount->starts_with(*money.amount + ".")) {
        node = parent;
        money = whole;
      }
    }
    if (!found_.empty() && found_.back().node == node) return;
    if (money.amount->starts_with('-')) return;
    found_.push_back({*money.amount, money.currency.value_or(""), node});
  }

  std::uint64_t signature(NodeId node) const {
    std::string path;
    for (int i = 0; i < 3 && node != kNoNode; ++i, node = document_.parent(node)) {
      path += document_.tag_name(node);
      path += '.';
      path += document_.class_names(node);
      path += '/';
    }
    return hash64(path);
  }

  void count_repeats() {
    for (const VisiblePrice& price : found_) {
      if (!outline_.is_content(price.node)) continue;
      ++repeats_[signature(price.node)];
      ++same_amount_[price.amount];
    }
  }

  double score_of(VisiblePrice& price) {
    const NameSigns near = signs_around(document_, price.node, 3);
    const NameSigns wide = signs_around(document_, price.node, 5);
    double score = price.currency.empty() ? -2 : 0;
    if (near.price) score += 3;
    if (near.current) score += 1;
    if (wide.other) score -= near.other ? 5 : 2;
    if (near.cart) score -= 4;
    price.is_old = near.old;
    if (document_.attribute(price.node, known("itemprop")) == "price") score += 4;
    score += place_score(price.node);
    score += region_score(price.node);
    const auto repeats = repeats_[signature(price.node)];
    if (repeats > 3) score -= 4;
    score += std::min(same_amount_[price.amount] - 1, 2) * 0.7;
    if (outline_.is_in_link(price.node)) score -= 3;
    if (price.amount == "0") score -= 3;
    if (document_.text(price.node).find('(') != std::string_view::npos)
      score -= 2;  // "(4,36 € / 100 g)"
    return score;
  }

  // Of two prices side by side the higher one is the former price.
  void prefer_lower_neighbour() {
    if (found_.empty()) return;
    const VisiblePrice best = found_.front();
    for (std::size_t i = 1; i < found_.size(); ++i) {
      const VisiblePrice& other = found_[i];
      const NodeId distance =
          other.node > best.node ? other.node - best.node : best.node - other.node;
      const bool is_near = distance < 24 && !other.is_old && other.score > best.score * 0.55 &&
                           document_.text(other.node).find('(') == std::string_view::npos;
      if (!is_near || other.currency != best.currency) continue;
      const double ratio =
          std::atof(other.amount.c_str()) / std::max(std::atof(best.amount.c_str()), 0.01);
      if (ratio >= 0.999 || ratio < 0.3) continue;
      found_.front().is_old = true;
      std::rotate(found_.begin(), found_.begin() + static_cast<std::ptrdiff_t>(i),
                  found_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      return;
    }
  }

  double place_score(NodeId node) const {
    double score = 0;
    const NodeId heading = outline_.heading();
    if (heading != kNoNode) {
      const double distance =
          node > heading ? double(node - heading) : 2.0 * double(heading - node);
      score += 4.0 / (1.0 + distance / 150.0);
    }
    double nearest = 1e9;
    for (const NodeId button : buttons_)
      nearest = std::min(nearest, std::abs(double(button) - double(node)));
    score += 3.0 / (1.0 + nearest / 100.0);
    return score;
  }

  double region_score(NodeId node) const {
    double score = 0;
    if (!outline_.is_content(node)) score -= 5;
    if (outline_.is_in(node, Region::related)) score -= 5;
    if (outline_.is_in(node, Region::aside)) score -= 1;
    if (outline_.is_in(node, Region::promotion)) score -= 2;
    return score;
  }

  const PageOutline& outline_;
  const html::Document& document_;
  const std::vector<NodeId>& buttons_;
  std::vector<VisiblePrice> found_;
  std::map<std::uint64_t, int> repeats_;
  std::map<std::string, int> same_amount_;
};

bool may_be_button(const html::Document& document, NodeId node) {
  const auto tag = document.tag(node);
  if (tag == known("button") || tag == known("a")) return true;
  if (tag == known("input")) {
    const auto type = document.attribute(node, known("type"));
    return type == "submit" || type == "button" || type == "image";
  }
  return document.attribute(node, known("role")) == "button";
}

std::string label_of(const html::Document& document, NodeId node) {
  if (document.tag(node) == known("input"))
    return std::string(document.attribute(node, known("value")).value_or(""));
  std::string text = html::readable_text(document, node);
  if (text.empty()) text = document.attribute(node, known("aria-label")).value_or("");
  if (text.empty()) text = document.attribute(node, known("title")).value_or("");
  return text;
}

}  // namespace

std::vector<NodeId> find_buy_buttons(const PageOutline& outline) {
  const html::Document& document = outline.document();
  std::vector<NodeId> buttons;
  const auto end = static_cast<NodeId>(document.size());
  for (NodeId node = 1; node < end && buttons.size() < 100; ++node) {
    if (!document.is_element(node) || !outline.is_content(node) ||
        outline.is_in(node, Region::related))
      continue;
    if (outline.text_length(node) > 60 || !may_be_button(document, node)) continue;
    if (document.has_attribute(node, known("disabled"))) continue;
    if (is_buy_label(label_of(document, node))) buttons.push_back(node);
  }
  return buttons;
}

std::vector<VisiblePrice> find_visible_prices(const PageOutline& outline,
                                              const std::vector<NodeId>& buy_buttons) {
  return PriceSearch(outline, buy_buttons).run();
}

}  // namespace heddle::pages
