// Which pages of a run a discovering job finds by itself, and how its own pages lead to them. Pure.
#pragma once

#include <vector>

#include "model/run/page_result.hpp"
#include "pipeline/extract.hpp"
#include "pipeline/job_plan.hpp"

namespace heddle::pipeline {

// Whether the page is searched for further pages. Such a page is read whole in every run: when it
// has not changed, the pages that it leads to have to be visited all the same.
bool finds_pages(const JobPlan& plan, const Task& task);

// Whether the job does not list the page itself. Also known of a page that a run of dead letters
// repeats.
bool is_discovered(const JobPlan& plan, const Task& task);

// Whether the pages of a run are of several kinds, such as listings and the pages of their items: a
// field, or any item at all, may then be on some of them only.
bool has_mixed_pages(const Job& job);

// A page that was fetched and read.
struct SearchedPage {
  const Task& task;
  const std::string& requested;   // URL, with the values of secrets
  const FetchResponse& response;  // without its body
  const Extracted& content;       // with its links
  bool is_read_first = false;     // nothing was stored of it before
};

// The pages that join the run, those of the job itself left out. The next page of a listing is as
// deep as the listing: `max_pages` limits how far a listing is followed, `depth` does not.
std::vector<FoundPage> found_pages(const JobPlan& plan, const SearchedPage& page);

}  // namespace heddle::pipeline
