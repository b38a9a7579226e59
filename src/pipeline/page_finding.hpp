// Compares what was extracted from a page with what its job asks for and what was found before.
#pragma once

#include "model/run/page_result.hpp"
#include "model/web/fetch.hpp"
#include "pipeline/extract.hpp"
#include "pipeline/job_plan.hpp"

namespace heddle::pipeline {

// Sets `key_matches` and `finding` of `memory`. `before`: what was stored about the page with the
// same rules; nullptr: nothing.
void note_finding(const JobPlan& plan, const FetchResponse& response, const Extracted& page,
                  const PageMemory* before, PageMemory& memory);

}  // namespace heddle::pipeline
