// Recognizes pages that stand in the place of the wanted one: bot walls, login and error pages.
// Pure.
#pragma once

#include <optional>

#include "pages/classify/classify.hpp"
#include "pages/classify/page_facts.hpp"
#include "pages/classify/url_words.hpp"

namespace heddle::pages {

// What speaks for a page being content, whatever words it uses.
struct ContentEvidence {
  bool is_product = false;
  bool is_article = false;
  bool is_discussion = false;
};

struct FailureQuestion {
  const PageOutline& outline;
  const PageFacts& facts;
  const UrlWords& url_words;
  const PageResponse& response;
  ContentEvidence content;
};

std::optional<ClassifiedPage> find_failure(const FailureQuestion& page);

}  // namespace heddle::pages
