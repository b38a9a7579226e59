// Finds selectors for the fields of a page that is about one thing: a product or an article. Pure.
#pragma once

#include <optional>

#include "html/document.hpp"
#include "pages/infer/page_shapes.hpp"
#include "pages/outline/outline.hpp"
#include "pages/product/product.hpp"
#include "pages/propose/candidate_reader.hpp"

namespace heddle::pages {

// Reads the page with its candidates. The outline outlives it.
struct PageFieldSearch {
  const PageOutline& outline;
  const Url& url;
  CandidateReader& reader;
};

// The whole page as one item with name, price and stock. nullopt when no selector gives the
// product's price or, for a product without one, its stock.
std::optional<WatchCandidate> find_product_fields(const PageFieldSearch& search,
                                                  const ExtractedProduct& product);

// The whole page as one item with title, date and description. nullopt: it has no title.
std::optional<WatchCandidate> find_article_fields(const PageFieldSearch& search);

}  // namespace heddle::pages
