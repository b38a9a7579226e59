#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

#include "base/text.hpp"
#include "pages/infer/infer.hpp"
#include "pages/infer/inference_context.hpp"
#include "pages/outline/value_look.hpp"

namespace heddle::pages {

using html::kNoNode;
using html::NodeId;

namespace {

constexpr std::size_t kGroupsSearched = 60;
constexpr std::size_t kMaxKnown = 200;
constexpr std::size_t kLongestValue = 400;
constexpr double kLongestSlot = 800;  // characters: texts of known items are shorter
constexpr std::size_t kLeastFound = 2;
constexpr double kLeastVote = 0.02;  // a value that seven known items share
constexpr auto kAttributes = std::to_array<std::string_view>(
    {"", "href", "src", "data-src", "datetime", "content", "title", "alt"});

// White space and case do not matter.
std::string normal(std::string_view text) {
  const std::string folded = fold_case(utf8_prefix(text, kLongestValue));
  std::string out;
  std::size_t at = 0;
  while ((at = folded.find_first_not_of(" \t\r\n", at)) != std::string::npos) {
    const std::size_t end = std::min(folded.find_first_of(" \t\r\n", at), folded.size());
    if (!out.empty()) out += ' ';
    out.append(folded, at, end - at);
    at = end;
  }
  return out;
}

struct KnownValue {
  std::size_t item = 0;
  std::size_t field = 0;
};

// A place where values of known items were found.
struct Place {
  std::size_t slot = 0;
  std::size_t attribute = 0;
  auto operator<=>(const Place&) const = default;
};

struct KnownFinding {
  std::size_t block = 0;
  Place place;
  KnownValue value;
};

class ListRepair {
 public:
  ListRepair(const PageOutline& outline, const Url& url, std::span<const Item> known,
             const InferLimits& limits)
      : context_(outline, url, limits),
        known_(known.subspan(known.size() > kMaxKnown ? known.size() - kMaxKnown : 0)) {
    for (std::size_t i = 0; i < known_.size(); ++i) {
      for (const Field& field : known_[i].fields) {
        const std::string text = normal(field.second);
        if (text.size() >= 2) values_[text].push_back({i, field_index(field.first)});
      }
    }
  }

  std::optional<InferredList> run() {
    std::optional<InferredList> best;
    double most = 0;
    for (const ShapeGroup& group : context_.shapes.groups(kGroupsSearched)) {
      const BlockSlots slots(context_.shapes, group.nodes);
      std::vector<ChosenField> fields;
      const double score = match(slots, fields);
      if (score <= most) continue;
      auto list = write_list(context_, group.nodes, slots, fields);
      if (!list) continue;
      most = score;
      list->confidence =
          std::min(1.0, score / double(std::min(known_.size(), slots.blocks().size())));
      list->signals = {{"contains stored items", score}};
      best = std::move(list);
    }
    return best;
  }

 private:
  std::size_t field_index(std::string_view name) {
    const auto at = std::find(names_.begin(), names_.end(), name);
    if (at != names_.end()) return static_cast<std::size_t>(at - names_.begin());
    names_.emplace_back(name);
    return names_.size() - 1;
  }

  [[nodiscard]] bool may_hold_text(const BlockSlot& slot) const {
    return slot.text > 0 && slot.text <= kLongestSlot && (slot.has_own_text || slot.depth > 0);
  }

  [[nodiscard]] std::vector<KnownFinding> find_values(const BlockSlots& slots) const {
    std::vector<KnownFinding> findings;
    for (std::size_t s = 0; s < slots.slots().size(); ++s) {
      const BlockSlot& slot = slots.slots()[s];
      for (std::size_t a = 0; a < kAttributes.size(); ++a) {
        if (a == 0 && !may_hold_text(slot)) continue;
        for (std::size_t b = 0; b < slot.nodes.size(); ++b)
          if (slot.nodes[b] != kNoNode) find_value(slot.nodes[b], b, {s, a}, findings);
      }
    }
    return findings;
  }

  void find_value(NodeId node, std::size_t block, Place place,
                  std::vector<KnownFinding>& findings) const {
    const std::string_view attribute = kAttributes[place.attribute];
    if (!attribute.empty() && !context_.document.attribute(node, attribute)) return;
    if (attribute.empty() && context_.outline.text_length(node) > kLongestValue) return;
    const auto found =
        values_.find(normal(field_value(context_.document, node, attribute, false, context_.base)));
    if (found == values_.end()) return;
    for (const KnownValue& value : found->second) findings.push_back({block, place, value});
  }

  // The item of each block: the one with the most values there; values of many items say little.
  [[nodiscard]] std::vector<std::size_t> identify(const std::vector<KnownFinding>& findings,
                                                  std::size_t blocks) const {
    std::map<std::pair<std::size_t, std::size_t>, double> votes;  // of block and item
    std::map<std::pair<std::size_t, Place>, double> sharers;
    for (const KnownFinding& finding : findings) sharers[{finding.block, finding.place}] += 1;
    for (const KnownFinding& finding : findings) {
      const double others = sharers[{finding.block, finding.place}];
      votes[{finding.block, finding.value.item}] += 1 / (others * others);
    }
    std::vector<std::size_t> items(blocks, known_.size());
    std::vector<double> most(blocks, kLeastVote);
    for (const auto& [key, weight] : votes) {
      if (weight <= most[key.first]) continue;
      most[key.first] = weight;
      items[key.first] = key.second;
    }
    return items;
  }

  // How many known items the blocks hold, less for each field that is missing; 0 when too few.
  double match(const BlockSlots& slots, std::vector<ChosenField>& fields) {
    const std::vector<KnownFinding> findings = find_values(slots);
    const auto items = identify(findings, slots.blocks().size());
    std::vector<std::size_t> distinct;
    for (const std::size_t item : items)
      if (item < known_.size()) distinct.push_back(item);
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    if (distinct.size() < std::min(kLeastFound, known_.size()) || distinct.empty()) return 0;
    std::vector<std::map<Place, std::size_t>> places(names_.size());
    for (const KnownFinding& finding : findings)
      if (items[finding.block] == finding.value.item) ++places[finding.value.field][finding.place];
    const std::size_t found = distinct.size();
    for (std::size_t field = 0; field < names_.size(); ++field)
      choose_place(field, places[field], found, slots, fields);
    if (fields.empty()) return 0;
    add_changed_fields(slots, fields);
    std::stable_sort(fields.begin(), fields.end(), [&](const auto& a, const auto& b) {
      return std::find(names_.begin(), names_.end(), a.name) <
             std::find(names_.begin(), names_.end(), b.name);
    });
    const double share = double(fields.size()) / double(names_.size());
    return double(found) * (0.4 + 0.6 * share);
  }

  void choose_place(std::size_t field, const std::map<Place, std::size_t>& places,
                    std::size_t found, const BlockSlots& slots,
                    std::vector<ChosenField>& fields) const {
    const auto best =
        std::max_element(places.begin(), places.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    if (best == places.end() || best->second * 2 < found) return;
    const BlockSlot& slot = slots.slots()[best->first.slot];
    fields.push_back({names_[field], &slot, std::string(kAttributes[best->first.attribute]),
                      names_[field] == "price"});
  }

  // The values of a field may all have changed, as prices do: it is found by what it looks like.
  void add_changed_fields(const BlockSlots& slots, std::vector<ChosenField>& fields) {
    const std::vector<ChosenField> guessed = choose_fields(slots, context_.memory);
    for (const std::string& name : names_) {
      const auto is_named = [&](const ChosenField& field) { return field.name == name; };
      if (std::any_of(fields.begin(), fields.end(), is_named)) continue;
      const std::string kind = holds_prices(name) ? "price" : name;
      for (const ChosenField& field : guessed) {
        if (field.name != kind) continue;
        fields.push_back(field);
        fields.back().name = name;
      }
    }
  }

  [[nodiscard]] bool holds_prices(std::string_view name) const {
    std::size_t values = 0;
    std::size_t prices = 0;
    for (const Item& item : known_) {
      const std::string* value = item.find(name);
      if (value == nullptr || value->empty()) continue;
      ++values;
      prices += looks_like_price(*value) ? 1 : 0;
    }
    return values > 0 && prices * 10 >= values * 8;
  }

  InferenceContext context_;
  std::span<const Item> known_;
  std::vector<std::string> names_;  // of fields
  std::unordered_map<std::string, std::vector<KnownValue>> values_;
};

}  // namespace

std::optional<InferredList> repair_list(const PageOutline& outline, const Url& url,
                                        std::span<const Item> known, const InferLimits& limits) {
  if (known.empty()) return std::nullopt;
  return ListRepair(outline, url, known, limits).run();
}

}  // namespace heddle::pages
