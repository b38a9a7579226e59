#include "pages/infer/page_shapes.hpp"

#include <algorithm>
#include <cmath>

#include "base/hash.hpp"

namespace heddle::pages {

using html::kNoNode;
using html::known;
using html::NodeId;

namespace {

constexpr std::size_t kMaxTokens = 24;  // of one element
constexpr std::size_t kLeastBlocks = 3;
constexpr std::uint64_t kLeastText = 12;  // of all blocks

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  a ^= b + 0x9E3779B97F4A7C15ULL + (a << 6U) + (a >> 2U);
  a *= 0xBF58476D1CE4E5B9ULL;
  return a ^ (a >> 31U);
}

template <class Visit>
void each_class(std::string_view names, Visit visit) {
  std::size_t at = 0;
  std::size_t count = 0;
  while (at < names.size() && count < kMaxTokens) {
    at = names.find_first_not_of(" \t\r\n\f", at);
    if (at == std::string_view::npos) return;
    const std::size_t end = std::min(names.find_first_of(" \t\r\n\f", at), names.size());
    visit(names.substr(at, end - at));
    at = end;
    ++count;
  }
}

}  // namespace

PageShapes::PageShapes(const PageOutline& outline) : outline_(&outline) {
  read_classes();
  choose_keys();
}

ClassToken PageShapes::token_of(std::string_view name) {
  const auto [at, is_new] =
      tokens_.try_emplace(hash64(name), static_cast<ClassToken>(token_counts_.size()));
  if (is_new) token_counts_.push_back(0);
  return at->second;
}

// Most elements share their list of classes with others: each list is read once.
void PageShapes::read_classes() {
  const html::Document& document = outline_->document();
  const auto end = static_cast<NodeId>(document.size());
  lists_of_.assign(end, 0);
  lists_.emplace_back();
  token_counts_.push_back(0);
  std::unordered_map<std::uint64_t, std::uint32_t> known_lists;
  for (NodeId node = 1; node < end; ++node) {
    if (document.kind(node) == html::NodeKind::text && outline_->is_content(node))
      content_text_ += outline_->text_length(node);
    if (!document.is_element(node)) continue;
    const std::string_view names = document.class_names(node);
    if (names.empty()) continue;
    const auto [at, is_new] =
        known_lists.try_emplace(hash64(names), static_cast<std::uint32_t>(lists_.size()));
    if (is_new) {
      lists_.emplace_back();
      each_class(names,
                 [&](std::string_view name) { lists_.back().tokens.push_back(token_of(name)); });
    }
    lists_of_[node] = at->second;
    ++lists_[at->second].count;
  }
  for (const ClassList& list : lists_)
    for (const ClassToken token : list.tokens) token_counts_[token] += list.count;
}

void PageShapes::choose_keys() {
  const html::Document& document = outline_->document();
  const auto end = static_cast<NodeId>(document.size());
  keys_.assign(end, kNoToken);
  paths_.assign(end, 0);
  std::vector<std::uint32_t> counts(token_counts_.size());
  for (NodeId node = 0; node < end; ++node) {
    if (node != 0 && !document.is_element(node)) continue;
    if (document.last_child(node) != kNoNode) choose_keys_below(node, counts);
    if (node == 0 || !outline_->is_shown(node)) continue;
    const std::uint64_t shape = (std::uint64_t{document.tag(node)} << 32U) | keys_[node];
    paths_[node] = mix(paths_[document.parent(node)], shape);
  }
}

// The class that most siblings share; among those the one that most elements of the page have.
void PageShapes::choose_keys_below(NodeId parent, std::vector<std::uint32_t>& counts) {
  const html::Document& document = outline_->document();
  const auto each_token = [&](auto visit) {
    for (NodeId child = document.first_child(parent); child != kNoNode;
         child = document.next(child))
      for (const ClassToken token : lists_[lists_of_[child]].tokens) visit(child, token);
  };
  each_token([&](NodeId, ClassToken token) { ++counts[token]; });
  const auto weight = [&](ClassToken token) {
    return std::pair(counts[token], token_counts_[token]);
  };
  each_token([&](NodeId child, ClassToken token) {
    if (token_counts_[token] < 2) return;
    if (keys_[child] == kNoToken || weight(token) > weight(keys_[child])) keys_[child] = token;
  });
  each_token([&](NodeId, ClassToken token) { counts[token] = 0; });
}

ClassToken PageShapes::specific_token(NodeId node, std::uint32_t least) const {
  ClassToken best = kNoToken;
  ClassToken most = kNoToken;
  for (const ClassToken token : lists_[lists_of_[node]].tokens) {
    const auto count = token_counts_[token];
    if (most == kNoToken || count > token_counts_[most]) most = token;
    if (count < least) continue;
    if (best == kNoToken || count < token_counts_[best]) best = token;
  }
  return best != kNoToken ? best : most;
}

std::uint32_t PageShapes::count(std::string_view class_name) const {
  const auto found = tokens_.find(hash64(class_name));
  return found == tokens_.end() ? 0 : token_counts_[found->second];
}

double PageShapes::rank_of(const ShapeGroup& group, std::size_t count, NodeId first) const {
  const double average = double(group.text) / double(count);
  const double share = double(group.text) / std::max<double>(content_text_, 1);
  double rank = std::min(1.0, std::log2(double(count)) / 5) * 2 + 3 * std::min(share, 1.0);
  const bool is_all_links = group.link_text * 100 >= group.text * 95;
  if (group.link_text == 0 && !outline_->is_in_link(first)) rank -= 1.5;
  if (is_all_links && average < 20) rank -= 2.5;
  if (average < 8) rank -= 2;
  if (average > 3000) rank -= 2;
  if (!outline_->is_content(first)) rank -= 5;
  if (outline_->is_in(first, Region::aside)) rank -= 2;
  if (outline_->is_in(first, Region::related)) rank -= 2.5;
  if (outline_->is_in(first, Region::comments)) rank -= 2;
  if (outline_->is_in(first, Region::promotion)) rank -= 2;
  return rank;
}

std::vector<PageShapes::RankedGroup> PageShapes::rank_groups() const {
  struct Found {
    std::size_t count = 0;
    NodeId first = kNoNode;
    ShapeGroup sums;
  };
  const html::Document& document = outline_->document();
  std::unordered_map<std::uint64_t, Found> found;
  for (NodeId node = 1; node < paths_.size(); ++node) {
    if (paths_[node] == 0 || outline_->text_length(node) < 2) continue;
    Found& group = found[paths_[node]];
    if (group.first == kNoNode) group.first = node;
    ++group.count;
    group.sums.text += outline_->text_length(node);
    group.sums.link_text += outline_->link_length(node);
  }
  std::vector<RankedGroup> ranked;
  for (auto& [path, group] : found) {
    const auto tag = document.tag(group.first);
    const bool is_no_block = tag == known("br") || tag == known("option") || tag == known("body");
    if (group.count < kLeastBlocks || group.sums.text < kLeastText || is_no_block) continue;
    group.sums.rank = rank_of(group.sums, group.count, group.first);
    ranked.push_back({path, group.first, std::move(group.sums)});
  }
  std::sort(ranked.begin(), ranked.end(), [](const RankedGroup& a, const RankedGroup& b) {
    return a.group.rank != b.group.rank ? a.group.rank > b.group.rank : a.first < b.first;
  });
  return ranked;
}

std::vector<ShapeGroup> PageShapes::groups(std::size_t most) const {
  std::vector<RankedGroup> ranked = rank_groups();
  if (ranked.size() > most) ranked.resize(most);
  std::unordered_map<std::uint64_t, std::size_t> places;
  std::vector<ShapeGroup> groups;
  for (RankedGroup& each : ranked) {
    places.emplace(each.path, groups.size());
    groups.push_back(std::move(each.group));
  }
  for (NodeId node = 1; node < paths_.size(); ++node) {
    if (paths_[node] == 0 || outline_->text_length(node) < 2) continue;
    if (const auto place = places.find(paths_[node]); place != places.end())
      groups[place->second].nodes.push_back(node);
  }
  return groups;
}

}  // namespace heddle::pages
