// Infers the lists of a page: the block that repeats, the fields in it, and lasting selectors for
// both. Pure, deterministic, limited in steps whatever the page is like.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/run/item.hpp"
#include "model/web/url.hpp"
#include "pages/classify/page_class.hpp"
#include "pages/outline/outline.hpp"

namespace heddle::pages {

struct InferredField {
  std::string name;       // "title", "link", "price", "image", "date", "rating", "description"
  std::string selector;   // CSS inside the block; empty: the block itself
  std::string attribute;  // empty: the readable text
  bool is_money = false;  // text that is crossed out does not count
};

struct InferredList {
  std::string selector;  // CSS of the blocks
  std::vector<InferredField> fields;
  double confidence = 0;                       // 0 to 1
  std::size_t blocks = 0;                      // that the selector matches
  std::vector<std::vector<std::string>> rows;  // of the first blocks that have any value
  std::vector<ClassSignal> signals;            // what speaks for it, the strongest first
};

struct InferLimits {
  std::size_t max_lists = 5;
  std::size_t max_rows = 5;
  std::size_t max_steps = 20'000'000;  // of selectors that are tried
};

// Ranked, best first; empty when nothing repeats.
std::vector<InferredList> infer_lists(const PageOutline& outline, const Url& url,
                                      const InferLimits& limits = {});

// Finds the list that holds items as an earlier version of the page had them, though their
// selectors match no longer. Fields have the names of the known items; one whose values are nowhere
// is left out. nullopt when too few of the items are on the page.
std::optional<InferredList> repair_list(const PageOutline& outline, const Url& url,
                                        std::span<const Item> known,
                                        const InferLimits& limits = {});

}  // namespace heddle::pages
