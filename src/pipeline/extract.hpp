// Extracts items from a fetched body: charset, then the rules of the job (pages/source), the reader
// of feeds or that of products; or the text of the page. Synchronous and pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "html/parse.hpp"
#include "model/run/change.hpp"
#include "model/run/item.hpp"
#include "model/run/page_report.hpp"
#include "model/web/fetch.hpp"
#include "pages/changes/page_text.hpp"
#include "pages/discover/find_links.hpp"
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
  // Of a job that discovers pages: where an HTML page leads, besides its items; nullopt: not read.
  std::optional<std::vector<pages::FoundLink>> links;
  ExtractCost cost;

  // Of a job that watches the text of pages. No text: another page stands in place of the wanted
  // one.
  std::optional<pages::PageText> text{};
  std::vector<FieldChange> text_changes{};  // since the kept version
  std::vector<FieldChange> triggers{};      // the same of the parts that trigger reports
  std::string comparison_note{};            // what is odd about the comparison
  // Whether the page is stored as a version; nullopt: when its readable text or its items differ.
  std::optional<bool> is_new_version{};
};

// Moves the body out of the response as UTF-8; empty for images, videos and archives.
Extracted take_body(FetchResponse& response);

// Fills in the items of `page`, which `page_url` identifies, or its text. Fails when the page is
// too complex or a selector exceeds its budget (bad_input), and when the body is not what the job
// reads (corrupt). `response`: without its body.
Status extract(html::Parser& parser, const JobPlan& plan, const std::string& page_url,
               const FetchResponse& response, Extracted& page);

// The one item of a job that watches a file, before take_body() changes its bytes.
std::vector<Item> items_of_file(const JobPlan& plan, const std::string& page_url,
                                const FetchResponse& response);

// Fills in the links of a page whose items were not read from its HTML. None of a page that is no
// HTML or too complex.
void extract_links(html::Parser& parser, const JobPlan& plan, const FetchResponse& response,
                   Extracted& page);

}  // namespace heddle::pipeline
