// SelectorWriter writes the shortest lasting CSS selectors that match given elements: names with a
// meaning before others, no generated names, positions only where nothing else tells. Tries them
// with the selector engine within a budget of steps that all selectors of a page share.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "html/selector.hpp"
#include "pages/infer/page_shapes.hpp"

namespace heddle::pages {

class SelectorWriter {
 public:
  SelectorWriter(const PageShapes& shapes, html::SelectBudget& budget)
      : shapes_(shapes), document_(shapes.outline().document()), budget_(budget) {}

  struct Written {
    std::string css;
    std::vector<html::NodeId> matches;  // of the whole page
  };
  // For blocks: matches all of them and next to nothing else. nullopt when no such selector is
  // found.
  std::optional<Written> write_blocks(const std::vector<html::NodeId>& blocks);

  // For a field: inside each block the first match is its target, or has the same attribute;
  // kNoNode: the block has none. Empty text: the block itself. nullopt when no selector fits at
  // least four fifths of the blocks.
  std::optional<std::string> write_field(const std::vector<html::NodeId>& blocks,
                                         const std::vector<html::NodeId>& targets,
                                         std::string_view attribute);

 private:
  struct Part {
    std::string css;
    double cost = 0;
  };

  void add_names(html::NodeId node, std::vector<Part>& parts) const;
  [[nodiscard]] std::vector<Part> parts_of(html::NodeId node) const;
  [[nodiscard]] std::string place_of(html::NodeId node, html::NodeId top) const;
  [[nodiscard]] std::vector<Part> block_candidates(html::NodeId node, std::size_t count) const;
  [[nodiscard]] std::vector<Part> field_candidates(html::NodeId block, html::NodeId target) const;
  [[nodiscard]] bool fits_some(const html::Selector& selector,
                               const std::vector<html::NodeId>& blocks) const;
  double agreement(const std::string& css, const std::vector<html::NodeId>& blocks,
                   const std::vector<html::NodeId>& targets, std::string_view attribute);

  const PageShapes& shapes_;
  const html::Document& document_;
  html::SelectBudget& budget_;
};

}  // namespace heddle::pages
