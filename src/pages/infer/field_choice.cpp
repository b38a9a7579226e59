#include "pages/infer/field_choice.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "base/text.hpp"
#include "html/links.hpp"
#include "html/text.hpp"
#include "pages/outline/value_look.hpp"
#include "pages/values/date.hpp"
#include "pages/values/money.hpp"

namespace heddle::pages {

using html::kNoNode;
using html::known;
using html::NodeId;

namespace {

constexpr double kPriceText = 34;
constexpr double kNamelessPriceText = 24;  // without a class that says so
constexpr double kDateText = 45;
constexpr std::size_t kValuesRead = 10;  // blocks whose values are parsed
constexpr std::size_t kTextRead = 400;

bool has_digit(std::string_view text) {
  return text.find_first_of("0123456789") != std::string_view::npos ||
         text.find("\xD9") != std::string_view::npos;
}

bool is_heading(html::NameId tag) {
  for (const auto heading :
       {known("h1"), known("h2"), known("h3"), known("h4"), known("h5"), known("h6")})
    if (tag == heading) return true;
  return false;
}

bool is_struck(html::NameId tag) {
  return tag == known("s") || tag == known("del") || tag == known("strike");
}

class FieldChooser {
 public:
  FieldChooser(const BlockSlots& slots, ValueMemory& memory)
      : slots_(slots), document_(slots.document()), memory_(memory) {}

  std::vector<ChosenField> run() {
    find_prices();
    find_dates();
    find_title();
    find_link();
    find_image();
    find_rating();
    find_description();
    std::vector<ChosenField> fields;
    for (ChosenField* field : {&title_, &link_, &price_, &image_, &date_, &rating_, &description_})
      if (field->slot != nullptr) fields.push_back(std::move(*field));
    return fields;
  }

 private:
  // How many of the first blocks that have the slot hold a value that `reads` accepts, 0 to 1.
  template <class Reads>
  double share(const BlockSlot& slot, Reads reads) const {
    std::size_t seen = 0;
    std::size_t good = 0;
    for (const NodeId node : slot.nodes) {
      if (node == kNoNode) continue;
      if (seen == kValuesRead) break;
      ++seen;
      good += reads(node) ? 1 : 0;
    }
    return seen == 0 ? 0 : double(good) / double(seen);
  }

  // Enough of a text to judge it: of hostile pages all of it would be too much.
  [[nodiscard]] std::string_view start_of(NodeId node) const {
    return trim(utf8_prefix(document_.text(node), kTextRead));
  }

  template <class Value>
  double distinct(const BlockSlot& slot, Value value) const {
    std::set<std::string> values;
    std::size_t seen = 0;
    for (const NodeId node : slot.nodes) {
      if (node == kNoNode) continue;
      if (++seen > kValuesRead) break;
      if (std::string text = value(node); !text.empty()) values.insert(std::move(text));
    }
    return seen == 0 ? 0 : double(values.size()) / double(std::min(seen, kValuesRead));
  }

  [[nodiscard]] double distinct_texts(const BlockSlot& slot) const {
    return distinct(slot, [&](NodeId node) { return std::string(start_of(node)); });
  }

  template <class Score>
  const BlockSlot* best(Score score, double least) const {
    const BlockSlot* found = nullptr;
    double most = least;
    for (const BlockSlot& slot : slots_.slots()) {
      const double points = score(slot);
      if (points <= most) continue;
      most = points;
      found = &slot;
    }
    return found;
  }

  void find_prices() {
    price_.slot = best([&](const BlockSlot& slot) { return price_score(slot); }, 1.2);
    if (price_.slot == nullptr) return;
    price_.name = "price";
    price_.is_money = true;
  }

  double price_score(const BlockSlot& slot) const {
    if (slot.text < 1 || slot.text > kPriceText || is_struck(slot.tag)) return 0;
    if (!slot.names.price && (is_heading(slot.tag) || slot.text > kNamelessPriceText)) return 0;
    const double with_currency = share(slot, [&](NodeId node) { return memory_.is_price(node); });
    double score = with_currency >= 0.6 ? 2 * with_currency : 0;
    if (with_currency < 0.6 && slot.names.price && !slot.names.old_price) {
      const double plain = share(slot, [&](NodeId node) { return memory_.is_amount(node); });
      score = plain >= 0.8 ? 1 : 0;
    }
    if (score == 0) return 0;
    if (slot.names.old_price) score -= 1.2;
    if (slot.names.price) score += 0.6;
    return score + slots_.coverage(slot) + slot.depth * 0.02;
  }

  void find_dates() {
    date_.slot = best([&](const BlockSlot& slot) { return date_score(slot); }, 1);
    if (date_.slot == nullptr) return;
    date_.name = "date";
    const auto has_stamp = [&](NodeId node) {
      return !document_.attribute(node, known("datetime")).value_or("").empty();
    };
    if (share(*date_.slot, has_stamp) >= 0.9) date_.attribute = "datetime";
  }

  double date_score(const BlockSlot& slot) const {
    if (slot.tag == known("time")) return 2 + slots_.coverage(slot);
    if (slot.text < 4 || slot.text > kDateText || !slot.has_own_text) return 0;
    if (&slot == price_.slot) return 0;
    const double dates = share(slot, [&](NodeId node) { return memory_.is_date(node); });
    const bool is_named = slot.names.date && !slot.names.title;
    if (dates < 0.6 &&
        !(is_named && share(slot, [&](NodeId node) { return has_digit(start_of(node)); }) > 0.8))
      return 0;
    return 0.8 + dates * 0.5 + (slot.names.date ? 0.6 : 0) + slots_.coverage(slot) * 0.5 -
           slot.text / 200;
  }

  void find_title() {
    title_.slot = best([&](const BlockSlot& slot) { return title_score(slot); }, 1.5);
    if (title_.slot == nullptr) return;
    title_.name = "title";
  }

  double title_score(const BlockSlot& slot) const {
    const bool is_value = &slot == price_.slot || &slot == date_.slot;
    if (is_value || slot.text < 2 || slot.text > 250 || slots_.coverage(slot) < 0.6) return 0;
    if (!slot.has_own_text && !is_heading(slot.tag) && slot.tag != known("a")) return 0;
    if (is_struck(slot.tag) || slot.tag == known("button") || slot.tag == known("time")) return 0;
    if (price_.slot != nullptr && slots_.contains(slot, *price_.slot)) return 0;
    const double distinct = distinct_texts(slot);
    if (distinct < 0.4) return 0;
    double score = distinct + slots_.coverage(slot);
    if (is_heading(slot.tag)) score += 1.6;
    if (slot.names.title) score += 1.2;
    if (slot.names.description && !slot.names.title) score -= 0.7;
    if (slot.names.side) score -= 1.2;  // also "author-name"
    if (slot.is_any_path) score -= 0.8;
    if (slot.link_text > 0.6 * slot.text) score += 1;
    if (slot.text >= 8 && slot.text <= 150) score += 0.8;
    if (slot.names.price || slot.names.rating || slot.names.date) score -= slot.names.title ? 0 : 1;
    const double letters = share(slot, [&](NodeId node) {
      const std::string_view text = start_of(node);
      const auto digits =
          std::count_if(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
      return digits * 2 < std::ptrdiff_t(text.size());
    });
    score -= 1.5 * (1 - letters);
    return score + std::min(slot.text, 60.0) * 0.008 + slot.depth * 0.01;
  }

  void find_link() {
    link_.slot = best([&](const BlockSlot& slot) { return link_score(slot); }, 0.8);
    if (link_.slot == nullptr) return;
    link_.name = "link";
    link_.attribute = "href";
  }

  double link_score(const BlockSlot& slot) const {
    if (slot.tag != known("a") || slots_.coverage(slot) < 0.4) return 0;
    const double hrefs = distinct(slot, [&](NodeId node) {
      const auto href = trim(document_.attribute(node, known("href")).value_or(""));
      const bool leads = !href.empty() && href[0] != '#' && !href.starts_with("javascript:");
      return leads ? std::string(href) : std::string();
    });
    if (hrefs < 0.3) return 0;
    double score = hrefs + slots_.coverage(slot);
    if (title_.slot != nullptr &&
        (slots_.contains(slot, *title_.slot) || slots_.contains(*title_.slot, slot)))
      score += 3;
    return score + std::min(slot.text, 60.0) * 0.01;
  }

  void find_image() {
    image_.slot = best([&](const BlockSlot& slot) { return image_score(slot); }, 0.5);
    if (image_.slot == nullptr) return;
    image_.name = "image";
    double most = 0;
    for (const auto* name : {"src", "data-src", "data-original", "data-lazy-src"}) {
      const double good =
          distinct(*image_.slot, [&](NodeId node) { return image_url(node, name); });
      if (good <= most + 0.05) continue;
      most = good;
      image_.attribute = name;
    }
  }

  [[nodiscard]] std::string image_url(NodeId node, std::string_view name) const {
    const auto value = trim(document_.attribute(node, name).value_or(""));
    return value.starts_with("data:") ? std::string() : std::string(value);
  }

  double image_score(const BlockSlot& slot) const {
    if (slot.tag != known("img") || slots_.coverage(slot) < 0.4) return 0;
    double most = 0;
    for (const auto* name : {"src", "data-src", "data-original", "data-lazy-src"})
      most = std::max(most, distinct(slot, [&](NodeId node) { return image_url(node, name); }));
    return most < 0.3 ? 0 : most + slots_.coverage(slot);
  }

  void find_rating() {
    double most = 0.9;
    for (const BlockSlot& slot : slots_.slots()) {
      if (!slot.names.rating || slot.text > 30 || &slot == price_.slot || &slot == title_.slot ||
          &slot == date_.slot)
        continue;
      for (const auto* name : {"", "content", "aria-label", "title", "data-rating"}) {
        const double good = share(slot, [&](NodeId node) {
          const std::string_view text =
              *name == '\0' ? start_of(node) : document_.attribute(node, name).value_or("");
          return has_digit(text) && text.size() < 60;
        });
        const double score = good * (0.5 + slots_.coverage(slot)) + (*name == '\0' ? 0.1 : 0);
        if (good < 0.7 || score <= most) continue;
        most = score;
        rating_ = {"rating", &slot, name, false};
      }
    }
  }

  void find_description() {
    description_.slot = best([&](const BlockSlot& slot) { return description_score(slot); }, 1);
    if (description_.slot != nullptr) description_.name = "description";
  }

  double description_score(const BlockSlot& slot) const {
    if (slot.text < 30 || slots_.coverage(slot) < 0.4 || slot.depth == 0) return 0;
    if (!slot.has_own_text && slot.tag != known("p") && !slot.names.description) return 0;
    for (const ChosenField* field : {&title_, &price_, &image_})
      if (field->slot != nullptr && slots_.contains(slot, *field->slot)) return 0;
    if (title_.slot != nullptr && slots_.contains(*title_.slot, slot)) return 0;
    if (slot.link_text > 0.7 * slot.text && !slot.names.description) return 0;
    if (distinct_texts(slot) < 0.5) return 0;
    return std::min(slot.text, 200.0) / 100 + slots_.coverage(slot) +
           (slot.names.description ? 0.6 : 0) + (slot.tag == known("p") ? 0.3 : 0);
  }

  const BlockSlots& slots_;
  const html::Document& document_;
  ValueMemory& memory_;
  ChosenField title_, link_, price_, image_, date_, rating_, description_;
};

}  // namespace

void ValueMemory::read_price(NodeId node, std::uint8_t& bits) const {
  bits |= kPriceRead;
  const std::string_view raw = utf8_prefix(document_.text(node), kTextRead);
  if (!has_digit(raw)) return;
  const Money money = read_money(html::text_without_struck(document_, node));
  if (!money.amount) return;
  bits |= kAmount;
  if (money.currency) bits |= kPrice;
}

bool ValueMemory::is_price(NodeId node) {
  if (!looks_like_price(trim(utf8_prefix(document_.text(node), kTextRead)))) return false;
  std::uint8_t& bits = bits_[node];
  if ((bits & kPriceRead) == 0) read_price(node, bits);
  return (bits & kPrice) != 0;
}

bool ValueMemory::is_amount(NodeId node) {
  std::uint8_t& bits = bits_[node];
  if ((bits & kPriceRead) == 0) read_price(node, bits);
  return (bits & kAmount) != 0;
}

bool ValueMemory::is_date(NodeId node) {
  const std::string_view text = trim(utf8_prefix(document_.text(node), kTextRead));
  if (!looks_like_date(text)) return false;
  std::uint8_t& bits = bits_[node];
  if ((bits & kDateRead) == 0) {
    bits |= kDateRead;
    if (read_date(text)) bits |= kDate;
  }
  return (bits & kDate) != 0;
}

std::vector<ChosenField> choose_fields(const BlockSlots& slots, ValueMemory& memory) {
  return FieldChooser(slots, memory).run();
}

std::string field_value(const html::Document& document, NodeId node, std::string_view attribute,
                        bool is_money, const Url& base) {
  if (attribute.empty()) {
    if (is_money)
      if (auto text = html::text_without_struck(document, node); !text.empty()) return text;
    return html::readable_text(document, node);
  }
  const auto value = document.attribute(node, attribute);
  if (!value) return {};
  if (html::is_url_attribute(attribute)) return absolute_link(base, *value);
  return std::string(trim(*value));
}

}  // namespace heddle::pages
