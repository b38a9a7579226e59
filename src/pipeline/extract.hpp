// From a fetched body to items: charset, parser, selectors, fields. Synchronous and pure.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "html/parse.hpp"
#include "model/fetch.hpp"
#include "model/item.hpp"
#include "model/page_report.hpp"
#include "pipeline/job_plan.hpp"

namespace heddle::pipeline {

struct Extracted {
  std::string body;        // as UTF-8
  bool is_binary = false;  // not for people to read: there is no body
  std::vector<Item> items;
  std::size_t selector_matches = 0;
  Hash128 text_hash;  // of the readable text: equal when only markup changed
  ExtractCost cost;
};

// Takes the body out of the response, as UTF-8; none of a picture, a film or an archive.
Extracted take_body(FetchResponse& response);

// Fills in what the page's body holds. Fails only when the page is too complex or a selector
// exceeds its budget on it.
Status extract(html::Parser& parser, const JobPlan& plan, const std::string& url, Extracted& page);

}  // namespace heddle::pipeline
