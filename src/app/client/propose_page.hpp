// Fetches a page and proposes how to watch it, for `heddle add`, or how to repair the selectors of
// its job, for `heddle repair`. Blocks; writes nothing.
#pragma once

#include <vector>

#include "base/log/log.hpp"
#include "base/result.hpp"
#include "model/job/job.hpp"
#include "model/job/repair_proposal.hpp"
#include "model/job/watch_proposal.hpp"
#include "model/run/item.hpp"

namespace heddle::app {

// The page of a job that has nothing but its URL and the defaults. Secrets of the project are
// redacted in what comes from the page.
Result<WatchProposal> propose_page(const Project& project, const Job& job, Log& log);

// `known`: stored items of the job's first page, the newest last.
Result<RepairProposal> propose_repair(const Project& project, const Job& job,
                                      const std::vector<Item>& known, Log& log);

}  // namespace heddle::app
