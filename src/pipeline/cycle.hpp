// One page through all stages, from its lease to its commit.
#pragma once

#include <functional>
#include <variant>

#include "base/async.hpp"
#include "model/page_result.hpp"
#include "pipeline/extract.hpp"
#include "pipeline/fetch_page.hpp"
#include "pipeline/services.hpp"

namespace heddle::pipeline {

struct PageDone {
  ItemCounts items;
  bool is_unchanged = false;
  bool is_skipped = false;  // a script wanted no more of it
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

struct CycleOrder {
  Lease lease;
  int worker_id = 1;
  CycleMode mode = CycleMode::store;
  Artefacts* artefacts = nullptr;         // may be null
  Stop* stop = nullptr;                   // may be null
  const FetchResponse* canned = nullptr;  // stands for the fetch; in script tests
  std::function<void()> on_storing{};     // all is done but to store it; may be empty
};

// Never throws for anything a page, server, script or store does. What comes by reference outlives
// the cycle.
Async<CycleEnd> run_cycle(const Services& services, JobState& job, const CycleOrder& order);

}  // namespace heddle::pipeline
