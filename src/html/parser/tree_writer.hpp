// Writes the finished tree into a Document, in document order; here text and values are copied.
#pragma once

#include <vector>

#include "html/document_builder.hpp"
#include "html/parser/budget.hpp"
#include "html/parser/node_tree.hpp"
#include "html/parser/tree_builder.hpp"

namespace heddle::html::parser {

struct FinishedTree {
  const NodeTree& nodes;
  const std::vector<RawAttribute>& attributes;
  const std::vector<LateAttributes>& late_attributes;
};

// Stops when the tree is deeper than the budget allows: moving elements can make it so.
void write_tree(const FinishedTree& tree, DocumentBuilder& document, Budget& budget);

}  // namespace heddle::html::parser
