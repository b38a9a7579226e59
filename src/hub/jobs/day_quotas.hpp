// DayQuotas enforces the daily limits of jobs. It computes usage from the store before and after
// each run of a limited job. Single event loop; everything passed in outlives it.
#pragma once

#include "base/async.hpp"
#include "base/result.hpp"
#include "hub/jobs/job_registry.hpp"
#include "hub/runs/run_slots.hpp"
#include "lifecycle/quota.hpp"

namespace heddle::hub {

class DayQuotas {
 public:
  DayQuotas(JobRegistry& registry, RunSlots& run_slots, const SchedulerParts& parts)
      : registry_(registry), run_slots_(run_slots), parts_(parts) {}

  Async<Result<lifecycle::DayQuota>> quota_of(const ManagedJob& entry);
  // Returns the quota when a run may begin; otherwise `conflict`, and the job is paused until its
  // next day.
  Async<Result<lifecycle::DayQuota>> claim(ManagedJob& entry);
  // A job without a schedule keeps its state: only its trigger is refused.
  Async<Status> pause_until_next(ManagedJob& entry, const lifecycle::DayQuota& quota);

  // Whether the job is paused until its next day.
  [[nodiscard]] bool is_paused_for_quota(const ManagedJob& entry) const;
  void wake_at(ManagedJob& entry, WallTime day);

 private:
  JobRegistry& registry_;
  RunSlots& run_slots_;
  const SchedulerParts& parts_;
};

}  // namespace heddle::hub
