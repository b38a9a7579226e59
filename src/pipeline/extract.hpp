// From a fetched body to items: charset, parser, selectors, fields. Synchronous and pure.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "html/parse.hpp"
#include "model/fetch.hpp"
#include "model/item.hpp"
#include "pipeline/job_plan.hpp"

namespace heddle::pipeline {

struct ExtractCost {
  std::chrono::microseconds decode{0};
  std::chrono::microseconds parse{0};
  std::chrono::microseconds select{0};
};

struct Extracted {
  std::string body;  // as UTF-8
  std::vector<Item> items;
  std::size_t selector_matches = 0;
  Hash128 text_hash;  // of the readable text: equal when only markup changed
  ExtractCost cost;
};

// Takes the body out of the response. Fails only when the page is too complex or a selector
// exceeds its budget on it.
Result<Extracted> extract(html::Parser& parser, const JobPlan& plan, FetchResponse& response);

}  // namespace heddle::pipeline
