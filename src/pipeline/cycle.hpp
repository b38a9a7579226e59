// One page through all stages, from its lease to its commit.
#pragma once

#include <variant>

#include "base/async.hpp"
#include "model/run.hpp"
#include "pipeline/extract.hpp"
#include "pipeline/fetch_page.hpp"
#include "pipeline/services.hpp"

namespace heddle::pipeline {

struct PageDone {
  ItemCounts items;
  bool is_unchanged = false;
};

// Everything a cycle saw, for people who look into it.
struct Artefacts {
  FetchResponse response;  // its body is in `body`
  std::string body;
  std::vector<Item> items;
  std::vector<bool> is_new;  // beside items
  std::vector<Delivery> deliveries;
};

struct CycleEnd {
  std::variant<PageDone, PageFailure> outcome;
  CycleTrace trace;
  ExtractCost extract_cost;
  std::int64_t bytes = 0;  // transferred
};

enum class CycleMode {
  store,    // commit what was found
  dry_run,  // stop before storing
};

// Never throws for anything a page, server or store does. `artefacts` may be null. What comes by
// reference outlives the cycle.
Async<CycleEnd> run_cycle(const Services& services, JobState& job, const Lease& lease,
                          CycleMode mode, Artefacts* artefacts);

}  // namespace heddle::pipeline
