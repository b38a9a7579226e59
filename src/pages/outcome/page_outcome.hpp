// Decides what the outcome of extracting a page means for a person: nothing, a notice, or a reason
// to doubt the job. Pure; lifecycle::note_run_end() turns findings of several runs into a check
// state.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "html/document.hpp"
#include "model/run/run.hpp"
#include "pages/classify/classify.hpp"
#include "pages/source/body_format.hpp"

namespace heddle::pages {

// The failure of a page that stands in the place of the wanted one: what it is, then `problem`. Its
// kind is `none` for a class of content.
RunError wrong_page_error(PageClass page_class, std::string_view problem);

// Classifies a page on which nothing was found.
ClassifiedPage classify_empty_page(const html::Document& document, const PageResponse& response);

struct PageOutcome {
  DetectedBody body;
  bool is_read_as_html = true;  // whatever the body is
  ClassifiedPage page{};        // counts only without items
  std::string selector;         // as configured; empty: the whole page
  std::size_t matches = 0;      // of the selector
  std::size_t items = 0;   // in which any field found something; of a text: 1 when it is compared
  bool had_items = false;  // at an earlier reading with the same rules
  bool is_text = false;    // the job compares the text of the page
  std::vector<std::string> empty_fields{};  // that found nothing in any item
  bool has_markup_remains = false;          // values hold remains of CDATA sections
  bool wants_errors = false;                // the status of this error page is expected
  bool is_blank = false;                    // nothing but white space was sent
  bool is_plain_text = false;               // says its type, and it has no element
  bool may_be_empty = false;                // the job expects pages without items
};

// The finding, without a URL; its kind is `none` when all is well.
RunError judge_page(const PageOutcome& outcome);

}  // namespace heddle::pages
