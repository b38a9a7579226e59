// InferenceContext holds what inference and repair of one page's lists share. The outline must
// outlive it. Not thread-safe.
#pragma once

#include <vector>

#include "html/links.hpp"
#include "html/selector.hpp"
#include "pages/infer/block_slots.hpp"
#include "pages/infer/field_choice.hpp"
#include "pages/infer/infer.hpp"
#include "pages/infer/page_shapes.hpp"

namespace heddle::pages {

struct InferenceContext {
  InferenceContext(const PageOutline& of_page, const Url& url, const InferLimits& most)
      : outline(of_page),
        document(of_page.document()),
        limits(most),
        base(html::document_base(document, url)),
        shapes(of_page),
        budget({.max_steps = most.max_steps}),
        memory(document) {}

  const PageOutline& outline;
  const html::Document& document;
  InferLimits limits;
  Url base;
  PageShapes shapes;
  html::SelectBudget budget;
  ValueMemory memory;
};

// Writes selectors for the blocks and the fields, and reads the first rows with them. Confidence
// and signals stay empty. nullopt when there are no lasting selectors, or the budget is used up.
std::optional<InferredList> write_list(InferenceContext& context,
                                       const std::vector<html::NodeId>& blocks,
                                       const BlockSlots& slots,
                                       const std::vector<ChosenField>& fields);

}  // namespace heddle::pages
