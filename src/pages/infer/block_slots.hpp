// BlockSlots finds the places inside the blocks of a group where each block may have a value: equal
// paths of shapes below the block. Limited in blocks, nodes and slots. Immutable.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pages/infer/name_words.hpp"
#include "pages/infer/page_shapes.hpp"

namespace heddle::pages {

struct BlockSlot {
  html::NameId tag = html::kNoName;
  std::vector<html::NodeId> nodes;  // by block: the first in this place, or kNoNode
  std::size_t present = 0;          // blocks that have it
  std::size_t occurrences = 0;
  double text = 0;       // mean of the blocks that have it
  double link_text = 0;  // the same
  int depth = 0;
  bool has_own_text = false;
  bool is_any_path = false;  // the first link, image or time of a block, wherever it is
  FieldNameSigns names;      // of the element itself
};

class BlockSlots {
 public:
  static constexpr std::size_t kMaxBlocks = 30;
  static constexpr html::NodeId kMaxNodes = 500;  // of one block
  static constexpr std::size_t kMaxSlots = 150;

  // Looks at the first blocks only.
  BlockSlots(const PageShapes& shapes, const std::vector<html::NodeId>& blocks);

  [[nodiscard]] const PageOutline& outline() const { return shapes_->outline(); }
  [[nodiscard]] const html::Document& document() const { return outline().document(); }
  [[nodiscard]] const std::vector<html::NodeId>& blocks() const { return blocks_; }
  // In the order of their first appearance; the first slot is the block itself.
  [[nodiscard]] const std::vector<BlockSlot>& slots() const { return slots_; }
  [[nodiscard]] double coverage(const BlockSlot& slot) const {
    return double(slot.present) / double(blocks_.size());
  }
  // Whether `inner` lies in `outer`, or is the same, in most blocks that have both.
  [[nodiscard]] bool contains(const BlockSlot& outer, const BlockSlot& inner) const;

 private:
  struct Places;
  void read_block(std::size_t block, Places& places);
  void add_place(html::NodeId node, std::size_t block, std::uint64_t path, Places& places);
  void add_first_of_tag(html::NodeId node, std::size_t block, Places& places);
  void sum_up(const Places& places);

  const PageShapes* shapes_;
  std::vector<html::NodeId> blocks_;
  std::vector<BlockSlot> slots_;
};

}  // namespace heddle::pages
