// The fetch stage: robots, host gate, request, and classification of failures.
#pragma once

#include <optional>
#include <variant>

#include "base/async.hpp"
#include "model/run/page_result.hpp"
#include "model/web/fetch.hpp"
#include "pipeline/services.hpp"
#include "pipeline/stop_signal.hpp"

namespace heddle::pipeline {

// Why a page could not be fetched or stored. The worker decides whether to retry.
struct PageFailure {
  RunError error;
  bool transient = false;
  std::optional<std::chrono::milliseconds> retry_after{};
  bool is_internal = false;  // our store or engine failed, not the page: the run cannot continue
  bool was_stopped = false;  // the run was stopped before the request was sent
  std::optional<ItemCounts> stored{};  // the page is committed as failed, with these items
};

// `error` is the part that scripts see.
struct FailedFetch {
  PageFailure failure;
  FetchError error{};
};

using FetchPageResult = std::variant<FetchResponse, FailedFetch>;

struct FetchSpec {
  FetchRequest request;
  std::optional<PageMemory> memory{};  // for a conditional request
  StopSignal* stop = nullptr;          // may be null
  bool is_discovered = false;          // the job does not list the page
};

// Builds the request from the job's configuration, with the next proxy.
FetchRequest request_for(JobSession& job, const std::string& url);

// Whether the request will be conditional. Changed extraction rules need the whole page.
bool is_conditional_fetch(const JobPlan& plan, const FetchSpec& spec);

// A 304 is a response like any other.
Async<FetchPageResult> fetch_page(const CycleServices& services, JobSession& job, FetchSpec spec);

// Classifies a fetch error; slows down the host when its response asks for that.
PageFailure classify_failure(const CycleServices& services, const Job& job, const std::string& url,
                             const FetchError& error);

}  // namespace heddle::pipeline
