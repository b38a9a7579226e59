// The fetch stage: memory, robots, host gate, request, and what the answer means.
#pragma once

#include <optional>
#include <variant>

#include "base/async.hpp"
#include "model/fetch.hpp"
#include "model/run.hpp"
#include "pipeline/services.hpp"

namespace heddle::pipeline {

// Why a page could not be had or stored. The worker decides whether to try again.
struct PageFailure {
  RunError error;
  bool transient = false;
  std::optional<std::chrono::milliseconds> retry_after{};
  bool is_ours = false;  // our store or engine failed, not the page: the run cannot go on
};

struct FetchedPage {
  FetchResponse response;
  std::optional<PageMemory> memory;  // what was stored before this fetch
  bool not_modified = false;         // 304: nothing to parse
};

using FetchPageResult = std::variant<FetchedPage, PageFailure>;

// `conditional`: ask only for what has changed since the page was stored, when that is safe.
Async<FetchPageResult> fetch_page(const Services& services, JobState& job, const Task& task,
                                  bool conditional);

}  // namespace heddle::pipeline
