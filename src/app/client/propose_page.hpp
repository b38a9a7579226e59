// Fetches a page and proposes how to watch it, for `heddle add`. Blocks; writes nothing.
#pragma once

#include "base/log/log.hpp"
#include "base/result.hpp"
#include "model/job/job.hpp"
#include "model/job/watch_proposal.hpp"

namespace heddle::app {

// The page of a job that has nothing but its URL and the defaults. Secrets of the project are
// redacted in what comes from the page.
Result<WatchProposal> propose_page(const Project& project, const Job& job, Log& log);

}  // namespace heddle::app
