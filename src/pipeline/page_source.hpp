// Where a cycle's page comes from: a script's override_fetch, a test's canned answer, or the
// network.
#pragma once

#include "base/async.hpp"
#include "pipeline/cycle.hpp"
#include "pipeline/fetch_page.hpp"
#include "pipeline/scripts/cycle_hooks.hpp"

namespace heddle::pipeline {

class PageSource {
 public:
  // `hooks` is null for a job without a script. All of it outlives the source.
  PageSource(const Services& services, JobState& job, const CycleOrder& order, CycleHooks* hooks)
      : services_(services), job_(job), order_(order), hooks_(hooks) {}

  // A status outside 2xx is a failure, except a 304 that was asked for.
  Async<FetchPageResult> get(const FetchRequest& request, const std::optional<PageMemory>& memory,
                             CycleTrace& trace);

  // Makes a 304 what scripts see: a success, not modified, with the body that is stored. Without
  // one, or when it is not wanted, the body stays empty. Gives whether there is one.
  Async<bool> make_stored(FetchResponse& response, bool with_body);

 private:
  Async<FetchPageResult> download(const FetchRequest& request,
                                  const std::optional<PageMemory>& memory);
  Async<FetchPageResult> supply_stored_body(const FetchRequest& request, FetchResponse response);
  [[nodiscard]] bool asks_for_changes_only(const FetchRequest& request) const;
  [[nodiscard]] FetchPageResult judged(const FetchRequest& request, FetchResponse response) const;
  [[nodiscard]] FetchPageResult failed(const FetchRequest& request, FetchError error) const;

  const Services& services_;
  JobState& job_;
  const CycleOrder& order_;
  CycleHooks* hooks_;
};

}  // namespace heddle::pipeline
