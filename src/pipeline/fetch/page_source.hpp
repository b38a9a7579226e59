// PageSource gets a cycle's page from a script's override_fetch, a test's canned response or the
// network.
#pragma once

#include "base/async.hpp"
#include "pipeline/cycle.hpp"
#include "pipeline/fetch/fetch_page.hpp"
#include "pipeline/scripts/cycle_hooks.hpp"

namespace heddle::pipeline {

class PageSource {
 public:
  // `hooks` is null for a job without a script. All arguments outlive the source.
  PageSource(const CycleServices& services, JobSession& job, const CycleSpec& spec,
             CycleHooks* hooks)
      : services_(services), job_(job), spec_(spec), hooks_(hooks) {}

  // A status that is not expected is a failure, except 304 for a conditional request.
  Async<FetchPageResult> get(const FetchRequest& request, const std::optional<PageMemory>& memory,
                             CycleTrace& trace);

  // Turns a 304 into what scripts see: a success marked not modified, with the stored body if
  // `with_body` and there is one. Returns whether the body was filled in.
  Async<bool> use_stored_body(FetchResponse& response, bool with_body);

 private:
  Async<FetchPageResult> fetch(const FetchRequest& request, const std::optional<PageMemory>& memory,
                               CycleTrace& trace);
  Async<FetchPageResult> download(const FetchRequest& request,
                                  const std::optional<PageMemory>& memory);
  Async<FetchPageResult> supply_stored_body(const FetchRequest& request, FetchResponse response);
  [[nodiscard]] bool may_be_conditional(const FetchRequest& request) const;
  [[nodiscard]] FetchPageResult check_status(const FetchRequest& request,
                                             FetchResponse response) const;
  [[nodiscard]] FetchPageResult failed(const FetchRequest& request, FetchError error) const;

  const CycleServices& services_;
  JobSession& job_;
  const CycleSpec& spec_;
  CycleHooks* hooks_;
};

}  // namespace heddle::pipeline
