// What to do with a tick while the job's former run is still there: one row per case. Pure.
#pragma once

#include <array>
#include <optional>

#include "model/job.hpp"

namespace heddle::schedule {

// The job's runs when it is due: none; one that runs; one that waits for a place; one that runs and
// one that waits for its end (queued, or to replace it).
enum class RunsNow { none, running, waiting, running_and_waiting };

enum class TickAction {
  start,
  skip,               // the tick is dropped, and told as skipped
  queue,              // one run waits for the end of the running one
  cancel_then_start,  // the running one is cancelled, the new one starts when it has ended
};

struct OverlapRow {
  Overlap policy;
  RunsNow runs;
  TickAction action;
};

inline constexpr auto kOverlapRows = [] {
  using enum RunsNow;
  using A = TickAction;
  return std::to_array<OverlapRow>({
      {Overlap::skip, none, A::start},
      {Overlap::skip, running, A::skip},
      {Overlap::skip, waiting, A::skip},
      {Overlap::skip, running_and_waiting, A::skip},
      {Overlap::queue, none, A::start},
      {Overlap::queue, running, A::queue},
      {Overlap::queue, waiting, A::skip},
      {Overlap::queue, running_and_waiting, A::skip},  // one waiting run does for all
      {Overlap::replace, none, A::start},
      {Overlap::replace, running, A::cancel_then_start},
      {Overlap::replace, waiting, A::skip},
      {Overlap::replace, running_and_waiting, A::skip},  // the former is being cancelled already
  });
}();

constexpr std::optional<TickAction> find_action(Overlap policy, RunsNow runs) {
  for (const OverlapRow& row : kOverlapRows)
    if (row.policy == policy && row.runs == runs) return row.action;
  return std::nullopt;
}

constexpr bool every_overlap_is_listed() {
  for (const Overlap policy : {Overlap::skip, Overlap::queue, Overlap::replace})
    for (const RunsNow runs :
         {RunsNow::none, RunsNow::running, RunsNow::waiting, RunsNow::running_and_waiting})
      if (!find_action(policy, runs)) return false;
  return kOverlapRows.size() == 12;
}
static_assert(every_overlap_is_listed());

constexpr TickAction action_for(Overlap policy, RunsNow runs) {
  return *find_action(policy, runs);
}

}  // namespace heddle::schedule
