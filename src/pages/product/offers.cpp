#include "pages/product/offers.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "pages/values/money.hpp"
#include "pages/values/number.hpp"

namespace heddle::pages {

namespace {

constexpr std::size_t kMaxVariants = 200;

constexpr auto kProductTypes = std::to_array<std::string_view>(
    {"Product", "ProductGroup", "IndividualProduct", "ProductModel", "SomeProducts", "Vehicle",
     "Car", "Motorcycle", "SoftwareApplication", "MobileApplication", "VideoGame", "Book", "Course",
     "Event", "Apartment", "House", "Accommodation", "MusicAlbum"});

constexpr auto kSideProperties = std::to_array<std::string_view>(
    {"isRelatedTo", "isSimilarTo", "isAccessoryOrSparePartFor", "itemListElement", "item",
     "itemReviewed", "mentions", "about", "isVariantOf", "recommendations", "makesOffer"});

bool is_product(const StructuredEntity& entity) {
  return std::any_of(kProductTypes.begin(), kProductTypes.end(),
                     [&](std::string_view type) { return entity.has_type(type); });
}

bool is_side_entity(const StructuredEntity& entity) {
  return std::find(kSideProperties.begin(), kSideProperties.end(), entity.parent_property) !=
         kSideProperties.end();
}

// How many of the words of `a` are in `b`, 0 to 1.
double shared_words(std::string_view a, std::string_view b) {
  const std::string folded_a = fold_case(a.substr(0, 300));
  const std::string folded_b = " " + fold_case(b.substr(0, 300)) + " ";
  int words = 0;
  int shared = 0;
  for (const std::string_view word : split(folded_a, ' ')) {
    if (word.empty()) continue;
    ++words;
    if (folded_b.find(word) != std::string::npos) ++shared;
  }
  return words == 0 ? 0.0 : static_cast<double>(shared) / words;
}

struct Offer {
  std::string amount;
  std::string high;
  std::string old_amount;
  std::string currency;
  std::string url;
  std::string sku;
  std::string name;
  StockState stock = StockState::unknown;
};

class OfferReader {
 public:
  OfferReader(const StructuredData& data, const Url& url) : data_(data), url_(url) {}

  void read_offers_of(const StructuredEntity& product, const StructuredEntity* named, int depth) {
    if (depth > 4) return;
    const std::size_t before = offers_.size();
    for (const StructuredEntity* offer : data_.linked(product, "offers")) {
      if (offers_.size() >= kMaxVariants) return;
      read_offer(*offer, named);
      if (!data_.linked(*offer, "offers").empty()) read_offers_of(*offer, nullptr, depth + 1);
    }
    // Some put price and availability on the product itself.
    const bool has_own =
        !product.text("price").empty() && offers_.size() == before && is_product(product);
    if (has_own) read_offer(product, nullptr);
    for (const auto* property : {"hasVariant", "model"})
      for (const StructuredEntity* variant : data_.linked(product, property))
        read_offers_of(*variant, variant, depth + 1);
  }

  std::vector<Offer>& offers() { return offers_; }

  // The variant that the page's URL names, else the cheapest that can be bought.
  [[nodiscard]] const Offer* best() const {
    const Offer* best = nullptr;
    for (const Offer& offer : offers_) {
      if (offer.amount.empty()) continue;
      if (names_page(offer)) return &offer;
      if (best == nullptr || is_better(offer, *best)) best = &offer;
    }
    return best;
  }

 private:
  [[nodiscard]] bool names_page(const Offer& offer) const {
    if (offer.url.empty() || offers_.size() < 2) return false;
    const auto resolved = url_.resolve(offer.url);
    if (!resolved || resolved->without_fragment() != url_.without_fragment()) return false;
    // A URL that all variants share names none of them.
    return std::count_if(offers_.begin(), offers_.end(),
                         [&](const Offer& other) { return other.url == offer.url; }) == 1;
  }

  static bool is_better(const Offer& a, const Offer& b) {
    const bool a_out = a.stock == StockState::out;
    const bool b_out = b.stock == StockState::out;
    if (a_out != b_out) return b_out;
    return is_less(a.amount, b.amount) && a.amount != "0";
  }

  void read_offer(const StructuredEntity& entity, const StructuredEntity* named) {
    Offer offer;
    read_amounts(entity, offer);
    for (const StructuredEntity* specification : data_.linked(entity, "priceSpecification"))
      read_specification(*specification, offer);
    offer.stock = stock_of_value(data_.text_or_name(entity, "availability"));
    offer.url = entity.text("url");
    offer.sku = entity.text("sku");
    offer.name = entity.text("name");
    if (named != nullptr) {
      if (offer.sku.empty()) offer.sku = named->text("sku");
      if (const auto name = named->text("name"); !name.empty()) offer.name = name;
      if (offer.url.empty()) offer.url = named->text("url");
    }
    if (!offer.amount.empty() || offer.stock != StockState::unknown)
      offers_.push_back(std::move(offer));
  }

  static void read_amounts(const StructuredEntity& entity, Offer& offer) {
    for (const auto* property : {"price", "lowPrice", "minPrice"}) {
      const auto text = entity.text(property);
      if (offer.amount.empty()) offer.amount = machine_amount(text);
      if (offer.currency.empty() && !text.empty())
        offer.currency = read_money(text).currency.value_or("");
    }
    for (const auto* property : {"highPrice", "maxPrice"})
      if (offer.high.empty()) offer.high = machine_amount(entity.text(property));
    const auto currency = entity.text("priceCurrency");
    if (!currency.empty())
      offer.currency = read_money(currency).currency.value_or(std::string(currency));
  }

  static void read_specification(const StructuredEntity& entity, Offer& offer) {
    const std::string_view type = schema_name(entity.text("priceType"));
    if (type == "ListPrice" || type == "StrikethroughPrice" || type == "SRP" || type == "MSRP") {
      offer.old_amount = machine_amount(entity.text("price"));
      return;
    }
    if (entity.has_type("DeliveryChargeSpecification") ||
        entity.has_type("PaymentChargeSpecification"))
      return;
    if (!offer.amount.empty() && !offer.currency.empty()) return;
    Offer own;
    read_amounts(entity, own);
    if (offer.amount.empty()) offer.amount = own.amount;
    if (offer.high.empty()) offer.high = own.high;
    if (offer.currency.empty()) offer.currency = own.currency;
  }

  const StructuredData& data_;
  const Url& url_;
  std::vector<Offer> offers_;
};

StockState common_stock(const std::vector<Offer>& offers) {
  StockState all = StockState::unknown;
  for (const Offer& offer : offers) {
    if (offer.stock == StockState::in) return StockState::in;
    if (offer.stock == StockState::preorder) all = StockState::preorder;
    if (all == StockState::unknown) all = offer.stock;
  }
  return all;
}

std::string_view syntax_name(StructuredEntity::Syntax syntax) {
  switch (syntax) {
    case StructuredEntity::Syntax::microdata:
      return "microdata";
    case StructuredEntity::Syntax::rdfa:
      return "rdfa";
    default:
      return "json-ld";
  }
}

void fill_identity(const StructuredData& data, const StructuredEntity& product, const Url& url,
                   ExtractedProduct& out) {
  out.name = product.text("name");
  for (const auto* property : {"sku", "productID", "mpn", "gtin13", "gtin", "gtin8", "gtin12"})
    if (out.sku.empty()) out.sku = product.text(property);
  if (const auto image = data.text_or_name(product, "image"); !image.empty())
    out.image = absolute_link(url, image);
}

}  // namespace

std::string machine_amount(std::string_view text) {
  text = trim(text);
  if (text.empty() || text.size() > 60) return {};
  const bool is_plain = text.find_first_not_of("0123456789.") == std::string_view::npos &&
                        std::count(text.begin(), text.end(), '.') <= 1;
  if (is_plain) {
    const auto read = read_decimal(to_code_points(text), {.dot_before_three_is_decimal = true,
                                                          .comma_before_three_is_decimal = false});
    return read.value_or("");
  }
  return read_money(text).amount.value_or("");
}

const StructuredEntity* find_main_product(const StructuredData& data, const Url& url,
                                          std::string_view heading) {
  const StructuredEntity* best = nullptr;
  double best_score = 0;
  for (const StructuredEntity& entity : data.entities()) {
    if (!is_product(entity) || is_side_entity(entity)) continue;
    double score = 1;
    if (entity.has_type("Product") || entity.has_type("ProductGroup")) score += 2;
    if (!data.linked(entity, "offers").empty() || !data.linked(entity, "hasVariant").empty())
      score += 3;
    if (!heading.empty()) score += 3 * shared_words(entity.text("name"), heading);
    const auto own = entity.text("url");
    if (!own.empty())
      if (const auto resolved = url.resolve(own); resolved && resolved->path() == url.path())
        score += 2;
    if (entity.parent != StructuredEntity::kNone) score -= 2;
    if (score > best_score) {
      best = &entity;
      best_score = score;
    }
  }
  return best;
}

void read_structured_product(const StructuredData& data, const StructuredEntity& product,
                             const Url& url, ExtractedProduct& out) {
  fill_identity(data, product, url, out);
  OfferReader reader(data, url);
  reader.read_offers_of(product, nullptr, 0);
  // Some shops write one product per size, all with the same name.
  for (const StructuredEntity& other : data.entities())
    if (&other != &product && other.parent == product.parent && is_product(other) &&
        !is_side_entity(other) && !out.name.empty() && other.text("name") == out.name)
      reader.read_offers_of(other, &other, 0);
  out.stock = common_stock(reader.offers());
  if (out.stock != StockState::unknown) out.stock_source = syntax_name(product.syntax);
  if (const Offer* best = reader.best()) {
    out.amount = best->amount;
    out.high_amount = best->high == best->amount ? "" : best->high;
    out.old_amount = best->old_amount;
    out.currency = best->currency;
    out.price_source = syntax_name(product.syntax);
    if (out.sku.empty()) out.sku = best->sku;
  }
  for (Offer& offer : reader.offers())
    if (reader.offers().size() > 1 && !offer.amount.empty())
      out.variants.push_back(
          {offer.name, offer.sku, offer.url, offer.amount, offer.currency, offer.stock});
}

}  // namespace heddle::pages
