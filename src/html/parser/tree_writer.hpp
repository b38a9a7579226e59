// Writes the finished tree into a Document in document order, copying text and values.
#pragma once

#include <vector>

#include "html/document_builder.hpp"
#include "html/parser/node_tree.hpp"
#include "html/parser/parse_budget.hpp"
#include "html/parser/tree_builder.hpp"

namespace heddle::html::parser {

struct FinishedTree {
  const NodeTree& nodes;
  const std::vector<RawAttribute>& attributes;
  const std::vector<LateAttributes>& late_attributes;
};

// Stops when the tree is deeper than the budget allows: moves of elements can deepen it.
void write_tree(const FinishedTree& tree, DocumentBuilder& document, ParseBudget& budget);

}  // namespace heddle::html::parser
