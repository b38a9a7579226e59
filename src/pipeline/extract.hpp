// Extracts items from a fetched body: charset, then the rules of the job (pages/source) or the
// reader of feeds. Synchronous and pure.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "html/parse.hpp"
#include "model/run/item.hpp"
#include "model/run/page_report.hpp"
#include "model/web/fetch.hpp"
#include "pages/outcome/page_outcome.hpp"
#include "pipeline/job_plan.hpp"

namespace heddle::pipeline {

struct Extracted {
  std::string body;        // as UTF-8
  bool is_binary = false;  // `body` is empty
  std::string content_type;
  std::vector<Item> items;
  std::size_t selector_matches = 0;
  bool is_read_as_html = false;
  Hash128 text_hash;                 // of the readable text: equal when only markup changed
  std::string note;                  // what is odd about the page although it was read
  pages::ClassifiedPage classified;  // only of a page without items
  ExtractCost cost;
};

// Moves the body out of the response as UTF-8; empty for images, videos and archives.
Extracted take_body(FetchResponse& response);

// Fills in the items of `page`. Fails when the page is too complex or a selector exceeds its budget
// (bad_input), and when the body is not what the job reads (corrupt). `response`: without its body.
Status extract(html::Parser& parser, const JobPlan& plan, const FetchResponse& response,
               Extracted& page);

}  // namespace heddle::pipeline
