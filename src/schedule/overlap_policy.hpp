// Decides what a tick does while the job's previous run is active or queued: one rule per case.
// Pure.
#pragma once

#include <array>
#include <optional>

#include "model/job/job.hpp"

namespace heddle::schedule {

// The job's runs when a tick is due: none; a running one; one that waits for a run slot; a running
// one and one that waits for its end (queued, or to replace it).
enum class RunsNow { none, running, waiting, running_and_waiting };

enum class TickAction {
  start,
  skip,               // drops the tick and reports it as skipped
  queue,              // queues a run until the running one has ended
  cancel_then_start,  // cancels the running one and starts the new one afterwards
};

struct OverlapRule {
  OverlapPolicy policy;
  RunsNow runs;
  TickAction action;
};

inline constexpr auto kOverlapRules = [] {
  using enum RunsNow;
  using A = TickAction;
  return std::to_array<OverlapRule>({
      {OverlapPolicy::skip, none, A::start},
      {OverlapPolicy::skip, running, A::skip},
      {OverlapPolicy::skip, waiting, A::skip},
      {OverlapPolicy::skip, running_and_waiting, A::skip},
      {OverlapPolicy::queue, none, A::start},
      {OverlapPolicy::queue, running, A::queue},
      {OverlapPolicy::queue, waiting, A::skip},
      {OverlapPolicy::queue, running_and_waiting, A::skip},  // one waiting run is enough
      {OverlapPolicy::replace, none, A::start},
      {OverlapPolicy::replace, running, A::cancel_then_start},
      {OverlapPolicy::replace, waiting, A::skip},
      {OverlapPolicy::replace, running_and_waiting, A::skip},  // already being cancelled
  });
}();

constexpr std::optional<TickAction> find_action(OverlapPolicy policy, RunsNow runs) {
  for (const OverlapRule& row : kOverlapRules)
    if (row.policy == policy && row.runs == runs) return row.action;
  return std::nullopt;
}

constexpr bool every_overlap_is_listed() {
  for (const OverlapPolicy policy :
       {OverlapPolicy::skip, OverlapPolicy::queue, OverlapPolicy::replace})
    for (const RunsNow runs :
         {RunsNow::none, RunsNow::running, RunsNow::waiting, RunsNow::running_and_waiting})
      if (!find_action(policy, runs)) return false;
  return kOverlapRules.size() == 12;
}
static_assert(every_overlap_is_listed());

constexpr TickAction action_for(OverlapPolicy policy, RunsNow runs) {
  return *find_action(policy, runs);
}

}  // namespace heddle::schedule
