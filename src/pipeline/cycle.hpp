// Runs one page through all stages, from its lease to its commit.
#pragma once

#include <functional>
#include <optional>
#include <variant>

#include "base/async.hpp"
#include "model/run/page_result.hpp"
#include "pipeline/extract.hpp"
#include "pipeline/fetch/fetch_page.hpp"
#include "pipeline/services.hpp"

namespace heddle::pipeline {

struct PageDone {
  ItemCounts items;
  bool is_unchanged = false;
  bool is_skipped = false;       // a script ended the cycle early, or robots.txt forbids the page
  std::int64_t found_pages = 0;  // that joined the run
};

// What a cycle fetched and produced, for debugging.
struct Artefacts {
  FetchResponse response;  // its body is in `body`
  std::string body;
  std::vector<Item> items;
  std::vector<bool> is_new;  // parallel to items
  std::vector<Delivery> deliveries;
  std::optional<std::string> text{};        // that is watched
  std::vector<FieldChange> text_changes{};  // since the kept version
};

struct CycleResult {
  std::variant<PageDone, PageFailure> outcome;
  CycleTrace trace;
  ExtractCost extract_cost;
  std::int64_t bytes = 0;  // transferred
};

enum class CycleMode {
  store,    // commit the result
  dry_run,  // stop before storing
};

struct CycleSpec {
  Lease lease;
  int worker_id = 1;
  CycleMode mode = CycleMode::store;
  Artefacts* artefacts = nullptr;         // may be null
  StopSignal* stop = nullptr;             // may be null
  const FetchResponse* canned = nullptr;  // replaces the fetch in script tests
  std::function<void()> on_commit{};      // called just before the commit; may be empty
};

// Never throws for anything a page, server, script or store does. References outlive the cycle.
Async<CycleResult> run_cycle(const CycleServices& services, JobSession& job, const CycleSpec& spec);

}  // namespace heddle::pipeline
