// The fetch stage: robots, host gate, request, and what the answer means.
#pragma once

#include <optional>
#include <variant>

#include "base/async.hpp"
#include "model/fetch.hpp"
#include "model/page_result.hpp"
#include "pipeline/services.hpp"
#include "pipeline/stop.hpp"

namespace heddle::pipeline {

// Why a page could not be had or stored. The worker decides whether to try again.
struct PageFailure {
  RunError error;
  bool transient = false;
  std::optional<std::chrono::milliseconds> retry_after{};
  bool is_ours = false;      // our store or engine failed, not the page: the run cannot go on
  bool was_stopped = false;  // the run ends before the page's turn came: nothing was asked for
};

// `error` is what scripts see of it.
struct FailedFetch {
  PageFailure failure;
  FetchError error{};
};

using FetchPageResult = std::variant<FetchResponse, FailedFetch>;

struct FetchOrder {
  FetchRequest request;
  std::optional<PageMemory> memory{};  // ask only for what has changed since then
  Stop* stop = nullptr;                // may be null
};

// The request as the job's configuration says, with the next proxy.
FetchRequest request_for(JobState& job, const std::string& url);

// Whether only a changed page will be asked for. After an edit of the rules it is needed anew.
bool is_made_conditional(const JobPlan& plan, const FetchOrder& order);

// A 304 is a response like any other.
Async<FetchPageResult> fetch_page(const Services& services, JobState& job, FetchOrder order);

// What an error means for the page; a host that asks for it is left alone for a while.
PageFailure judge(const Services& services, const Job& job, const std::string& url,
                  const FetchError& error);

}  // namespace heddle::pipeline
