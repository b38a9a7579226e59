#include "pages/infer/block_slots.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace heddle::pages {

using html::kNoNode;
using html::NodeId;

namespace {

constexpr std::uint64_t kFirstOfTag = 0xF125700000000000ULL;
constexpr std::uint8_t kMostNameless = 12;

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  a ^= b + 0x9E3779B97F4A7C15ULL + (a << 6U) + (a >> 2U);
  a *= 0x94D049BB133111EBULL;
  return a ^ (a >> 29U);
}

}  // namespace

struct BlockSlots::Places {
  std::unordered_map<std::uint64_t, std::size_t> slot_of;
  std::vector<BlockSlot> slots;
  std::vector<std::uint64_t> paths;  // of the nodes of the current block
  std::vector<int> depths;
  std::vector<std::array<std::uint8_t, 4>> nameless;  // children without class so far, by tag
};

BlockSlots::BlockSlots(const PageShapes& shapes, const std::vector<NodeId>& blocks)
    : shapes_(&shapes), blocks_(blocks) {
  if (blocks_.size() > kMaxBlocks) blocks_.resize(kMaxBlocks);
  Places places;
  for (std::size_t block = 0; block < blocks_.size(); ++block) read_block(block, places);
  sum_up(places);
}

void BlockSlots::read_block(std::size_t block, Places& places) {
  const NodeId top = blocks_[block];
  const NodeId end = std::min<NodeId>(document().subtree_end(top), top + kMaxNodes);
  const auto least = static_cast<std::uint32_t>(blocks_.size() * 6 / 10);
  places.paths.assign(end - top, 0);
  places.depths.assign(end - top, 0);
  places.nameless.assign(end - top, {});
  for (NodeId node = top; node < end; ++node) {
    if (!document().is_element(node)) continue;
    std::uint64_t path = 1;
    if (node != top) {
      const NodeId parent = document().parent(node) - top;
      const ClassToken token = shapes_->specific_token(node, least);
      std::uint64_t shape = (std::uint64_t{document().tag(node)} << 32U) | token;
      // Without names their order tells the children apart, such as the cells of a row.
      std::uint8_t& before = places.nameless[parent][document().tag(node) % 4];
      if (token == kNoToken && before < kMostNameless) shape ^= std::uint64_t{++before} << 56U;
      path = mix(places.paths[parent], shape);
      places.depths[node - top] = places.depths[parent] + 1;
    }
    places.paths[node - top] = path;
    if (!outline().is_shown(node)) continue;
    add_place(node, block, path, places);
    add_first_of_tag(node, block, places);
  }
}

// Where blocks differ in their paths, the first link, image or time may still be the same thing.
void BlockSlots::add_first_of_tag(NodeId node, std::size_t block, Places& places) {
  const auto tag = document().tag(node);
  if (node == blocks_[block]) return;
  if (tag == html::known("a") || tag == html::known("img") || tag == html::known("time"))
    add_place(node, block, kFirstOfTag + tag, places);
}

void BlockSlots::add_place(NodeId node, std::size_t block, std::uint64_t path, Places& places) {
  const auto [at, is_new] = places.slot_of.try_emplace(path, places.slots.size());
  if (is_new) {
    if (places.slots.size() >= 8 * kMaxSlots) {
      places.slot_of.erase(at);
      return;
    }
    places.slots.push_back({});
    places.slots.back().tag = document().tag(node);
    places.slots.back().depth = places.depths[node - blocks_[block]];
    places.slots.back().is_any_path = path >= kFirstOfTag && path < kFirstOfTag + 0x1000000;
    places.slots.back().nodes.assign(blocks_.size(), kNoNode);
  }
  BlockSlot& slot = places.slots[at->second];
  ++slot.occurrences;
  if (slot.nodes[block] == kNoNode) slot.nodes[block] = node;
}

void BlockSlots::sum_up(const Places& places) {
  for (const BlockSlot& found : places.slots) {
    BlockSlot slot = found;
    for (const NodeId node : slot.nodes) {
      if (node == kNoNode) continue;
      ++slot.present;
      slot.text += outline().text_length(node);
      slot.link_text +=
          outline().is_in_link(node) ? outline().text_length(node) : outline().link_length(node);
      for (NodeId child = document().first_child(node); child != kNoNode && !slot.has_own_text;
           child = document().next(child))
        slot.has_own_text =
            document().kind(child) == html::NodeKind::text && outline().text_length(child) > 0;
    }
    if (slot.present * 10 < blocks_.size() * 3 || slots_.size() >= kMaxSlots) continue;
    slot.text /= double(slot.present);
    slot.link_text /= double(slot.present);
    const auto first = *std::find_if(slot.nodes.begin(), slot.nodes.end(),
                                     [](NodeId node) { return node != kNoNode; });
    add_field_signs(document().class_names(first), slot.names);
    for (const auto* name : {"itemprop", "data-testid", "data-test", "data-qa", "data-role", "id"})
      if (const auto value = document().attribute(first, name)) add_field_signs(*value, slot.names);
    slots_.push_back(std::move(slot));
  }
}

bool BlockSlots::contains(const BlockSlot& outer, const BlockSlot& inner) const {
  std::size_t both = 0;
  std::size_t inside = 0;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const NodeId a = outer.nodes[i];
    const NodeId b = inner.nodes[i];
    if (a == kNoNode || b == kNoNode) continue;
    ++both;
    inside += (b >= a && b < document().subtree_end(a)) ? 1 : 0;
  }
  return both > 0 && inside * 2 > both;
}

}  // namespace heddle::pages
