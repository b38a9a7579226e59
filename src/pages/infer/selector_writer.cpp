#include "pages/infer/selector_writer.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "pages/infer/name_words.hpp"

namespace heddle::pages {

using html::kNoNode;
using html::known;
using html::NodeId;

namespace {

constexpr std::size_t kMaxCandidates = 28;
constexpr std::size_t kMostTried = 20;  // of them on the whole page
constexpr std::size_t kMaxParts = 6;
constexpr int kMaxAncestors = 8;
constexpr double kDescendant = 1;
constexpr double kChild = 1.1;
constexpr double kVagueTag = 2.2;    // for these the children are the lasting choice
constexpr double kPlace = 20;        // a selector by positions
constexpr double kLeastShare = 0.8;  // of blocks that a field's selector fits

bool is_plain_name(std::string_view name) {
  if (name.empty() || name.size() > 60) return false;
  const bool starts_well =
      (name[0] >= 'a' && name[0] <= 'z') || (name[0] >= 'A' && name[0] <= 'Z') || name[0] == '_';
  return starts_well && std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '-' || c == '_';
         });
}

bool is_plain_value(std::string_view value) {
  return !value.empty() && value.size() <= 60 &&
         std::all_of(value.begin(), value.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '-' || c == '_' || c == ' ' || c == '.' || c == ':' || c == '/';
         });
}

double cost_of(NameKind kind) {
  switch (kind) {
    case NameKind::meaningful:
      return 1;
    case NameKind::plain:
      return 1.8;
    case NameKind::styling:
      return 6;
    case NameKind::state:
      return 12;
    case NameKind::generated:
      break;
  }
  return 30;
}

double cost_of_tag(html::NameId tag) {
  for (const auto telling : {known("h1"), known("h2"), known("h3"), known("h4"), known("time"),
                             known("img"), known("a"), known("article"), known("tr")})
    if (tag == telling) return 1.6;
  return tag == known("li") || tag == known("p") || tag == known("h5") ? 2.2 : 3.5;
}

double child_cost(double inner_cost) {
  return inner_cost >= kVagueTag && inner_cost < 4 ? 0.9 * kDescendant : kChild;
}

// Attributes that authors write for programs.
constexpr auto kTellingAttributes = std::to_array<std::string_view>(
    {"itemprop", "data-testid", "data-test", "data-qa", "data-cy", "data-test-id", "data-role",
     "data-automation-id", "data-component", "data-type", "property", "itemtype"});

template <class Parts>
void keep_cheapest(Parts& parts, std::size_t most) {
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto& a, const auto& b) { return a.cost < b.cost; });
  const auto same = [](const auto& a, const auto& b) { return a.css == b.css; };
  parts.erase(std::unique(parts.begin(), parts.end(), same), parts.end());
  if (parts.size() > most) parts.resize(most);
}

}  // namespace

void SelectorWriter::add_names(NodeId node, std::vector<Part>& parts) const {
  const std::string tag(document_.tag_name(node));
  std::size_t count = 0;
  for (const std::string_view name : split(document_.class_names(node), ' ')) {
    if (trim(name).empty() || ++count > 16) continue;
    if (const std::string_view prefix = lasting_prefix(name);
        !prefix.empty() && is_plain_name(prefix)) {
      parts.push_back({"[class*=\"" + std::string(prefix) + "\"]", 2.5});
      continue;
    }
    const NameKind kind = name_kind(name);
    if (kind == NameKind::generated || !is_plain_name(name)) continue;
    const double length = double(name.size()) * 0.01;
    parts.push_back({"." + std::string(name), cost_of(kind) + length});
    if (is_plain_name(tag))
      parts.push_back({tag + "." + std::string(name), cost_of(kind) + length + 0.4});
  }
}

std::vector<SelectorWriter::Part> SelectorWriter::parts_of(NodeId node) const {
  std::vector<Part> parts;
  for (const std::string_view name : kTellingAttributes) {
    const auto value = document_.attribute(node, name);
    if (!value || !is_plain_value(*value) || name_kind(*value) == NameKind::generated ||
        name_kind(*value) == NameKind::state)
      continue;
    const double cost = name == "itemprop" ? 1.05 : 1.3;
    parts.push_back({"[" + std::string(name) + "=\"" + std::string(*value) + "\"]",
                     cost + double(value->size()) * 0.01});
  }
  add_names(node, parts);
  const std::string_view tag = document_.tag_name(node);
  if (is_plain_name(tag)) {
    parts.push_back({std::string(tag), cost_of_tag(document_.tag(node))});
    if (document_.tag(node) == known("a")) parts.push_back({"a[href]", 2});
    if (document_.tag(node) == known("img")) parts.push_back({"img[src]", 2});
  }
  keep_cheapest(parts, kMaxParts);
  return parts;
}

// "div:nth-of-type(2) > a:nth-of-type(1)" from the child of `top` down to the node.
std::string SelectorWriter::place_of(NodeId node, NodeId top) const {
  std::string place;
  for (int level = 0; node != top && node != kNoNode && node != 0 && level < 12; ++level) {
    int position = 1;
    for (NodeId before = document_.previous_element(node); before != kNoNode && position < 200;
         before = document_.previous_element(before))
      position += document_.tag(before) == document_.tag(node) ? 1 : 0;
    const std::string step =
        std::string(document_.tag_name(node)) + ":nth-of-type(" + std::to_string(position) + ")";
    place = place.empty() ? step : step + " > " + place;
    node = document_.parent(node);
  }
  return node == top ? place : std::string();
}

std::vector<SelectorWriter::Part> SelectorWriter::block_candidates(NodeId node,
                                                                   std::size_t count) const {
  std::vector<Part> own = parts_of(node);
  std::vector<Part> candidates;
  for (const Part& part : own) {
    const bool is_class = part.css[0] == '.';
    // A class that fewer elements have than there are blocks cannot be theirs.
    if (is_class && shapes_.count(std::string_view(part.css).substr(1)) < count) continue;
    candidates.push_back(part);
  }
  NodeId up = document_.parent(node);
  for (int level = 0; level < kMaxAncestors && up != kNoNode && up != 0; ++level) {
    std::vector<Part> around;
    const std::string_view id = document_.id(up);
    if (is_plain_name(id) && name_kind(id) != NameKind::generated &&
        name_kind(id) != NameKind::state)
      around.push_back({"#" + std::string(id), 1.4});
    for (Part& part : parts_of(up))
      if (part.cost < 4 || level < 2) around.push_back(std::move(part));
    keep_cheapest(around, 4);
    for (const Part& outer : around) {
      for (const Part& inner : own) {
        const double cost = outer.cost + inner.cost + level * 0.3;
        if (level == 0)
          candidates.push_back({outer.css + " > " + inner.css, cost + child_cost(inner.cost)});
        candidates.push_back({outer.css + " " + inner.css, cost + kDescendant});
      }
    }
    up = document_.parent(up);
  }
  keep_cheapest(candidates, kMaxCandidates);
  const std::string place = place_of(document_.parent(node), document_.body());
  if (!place.empty())
    candidates.push_back(
        {"body > " + place + " > " + std::string(document_.tag_name(node)), kPlace});
  return candidates;
}

// The first block fits by construction; selectors of its own oddities are sorted out here.
bool SelectorWriter::fits_some(const html::Selector& selector,
                               const std::vector<NodeId>& blocks) const {
  const auto fits = [&](NodeId block) {
    const auto found = html::matches(document_, selector, block);
    return found && *found;
  };
  return fits(blocks.back()) || fits(blocks[blocks.size() / 2]);
}

std::optional<SelectorWriter::Written> SelectorWriter::write_blocks(
    const std::vector<NodeId>& blocks) {
  std::optional<Written> best;
  double best_fit = 0.85;
  std::size_t tried = 0;
  for (const Part& candidate : block_candidates(blocks.front(), blocks.size())) {
    const auto selector = html::Selector::compile(candidate.css);
    const bool is_last_resort = candidate.cost >= kPlace;
    if (!selector || (!is_last_resort && (tried >= kMostTried || !fits_some(*selector, blocks))))
      continue;
    ++tried;
    Written written{candidate.css, {}};
    // With more matches the fit cannot be better, even if all blocks are among them.
    const auto most = static_cast<std::size_t>(double(blocks.size()) * (2 / best_fit - 1)) + 1;
    if (!html::select_at_most(document_, *selector, html::Document::root(), most, written.matches,
                              budget_))
      return best;
    std::vector<NodeId> both;
    std::set_intersection(blocks.begin(), blocks.end(), written.matches.begin(),
                          written.matches.end(), std::back_inserter(both));
    const double fit = 2.0 * double(both.size()) / double(blocks.size() + written.matches.size());
    if (fit <= best_fit) continue;
    best_fit = fit;
    best = std::move(written);
    if (fit > 0.999) return best;
  }
  return best;
}

std::vector<SelectorWriter::Part> SelectorWriter::field_candidates(NodeId block,
                                                                   NodeId target) const {
  const std::vector<Part> own = parts_of(target);
  std::vector<Part> candidates = own;
  if (document_.tag(target) == known("td") || document_.tag(target) == known("th")) {
    const std::string place = place_of(target, document_.parent(target));
    candidates.push_back({place, 5});
  }
  NodeId up = document_.parent(target);
  for (int level = 0; level < 4 && up != kNoNode && up > block; ++level) {
    std::vector<Part> around = parts_of(up);
    if (around.size() > 3) around.resize(3);
    if (document_.tag(up) == known("td")) around.push_back({place_of(up, document_.parent(up)), 5});
    for (const Part& outer : around) {
      for (const Part& inner : own) {
        const double cost = outer.cost + inner.cost + level * 0.3;
        if (level == 0)
          candidates.push_back({outer.css + " > " + inner.css, cost + child_cost(inner.cost)});
        candidates.push_back({outer.css + " " + inner.css, cost + kDescendant});
      }
    }
    up = document_.parent(up);
  }
  keep_cheapest(candidates, kMaxCandidates);
  if (const std::string place = place_of(target, block); !place.empty())
    candidates.push_back({":scope > " + place, kPlace});
  return candidates;
}

double SelectorWriter::agreement(const std::string& css, const std::vector<NodeId>& blocks,
                                 const std::vector<NodeId>& targets, std::string_view attribute) {
  const auto selector = html::Selector::compile(css);
  if (!selector) return 0;
  const auto is_same = [&](NodeId found, NodeId target) {
    if (found == target || attribute.empty() || found == kNoNode || target == kNoNode)
      return found == target;
    const auto value = document_.attribute(found, attribute);
    return value && value == document_.attribute(target, attribute);
  };
  std::size_t same = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto found = html::select_first_inclusive(document_, *selector, blocks[i], budget_);
    if (!found) return 0;
    same += is_same(found->value_or(kNoNode), targets[i]) ? 1 : 0;
  }
  return double(same) / double(blocks.size());
}

std::optional<std::string> SelectorWriter::write_field(const std::vector<NodeId>& blocks,
                                                       const std::vector<NodeId>& targets,
                                                       std::string_view attribute) {
  std::size_t at = 0;
  while (at < targets.size() && targets[at] == kNoNode) ++at;
  if (at == targets.size()) return std::nullopt;
  if (targets[at] == blocks[at]) return std::string();
  std::optional<std::string> best;
  double most = kLeastShare - 0.001;
  double least_cost = 1e9;
  for (const Part& candidate : field_candidates(blocks[at], targets[at])) {
    // Only a much better fit is worth a selector by positions.
    if (best && candidate.cost > least_cost + 8) break;
    const double fit = agreement(candidate.css, blocks, targets, attribute);
    if (fit <= most) continue;
    most = fit;
    least_cost = candidate.cost;
    best = candidate.css;
    if (fit > 0.999) break;
  }
  return best;
}

}  // namespace heddle::pages
