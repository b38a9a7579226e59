// StartupRecovery resumes or ends what the previous daemon left: unfinished runs, and jobs in the
// middle of a step. Single event loop; everything passed in outlives it.
#pragma once

#include <vector>

#include "base/async.hpp"
#include "base/result.hpp"
#include "hub/jobs/scheduler_tools.hpp"

namespace heddle::hub {

class StartupRecovery {
 public:
  explicit StartupRecovery(const SchedulerTools& tools)
      : tools_(tools),
        registry_(tools.registry),
        run_slots_(tools.run_slots),
        quotas_(tools.quotas),
        flow_(tools.flow),
        parts_(tools.parts) {}

  // Call when all jobs are configured.
  Async<Status> recover();
  // Ends the job's unfinished runs as failed; returns how many.
  Async<Result<std::size_t>> end_interrupted_runs(JobId job);

 private:
  Async<Status> recover_job(const JobId& job, const std::vector<Run>& unfinished);
  Async<Status> recover_active(ManagedJob& entry, const std::vector<Run>& unfinished);
  Async<Status> finish_ended(ManagedJob& entry, const JobStatus& status);
  Async<Status> mark_paused(RunId run, const std::vector<Run>& unfinished);
  Async<Result<std::size_t>> end_staged_runs(ManagedJob& entry);
  Async<Status> recover_orphan(const Run& run);
  Async<void> end_orphan(ManagedJob& entry, Run run, RunSlots::HeldRunSlot slot);
  Async<Status> resume_run(ManagedJob& entry, const Run& run);
  void requeue_runs();
  Async<void> restart_run(ManagedJob& entry, RunSlots::HeldRunSlot slot);

  const SchedulerTools tools_;
  JobRegistry& registry_;
  RunSlots& run_slots_;
  DayQuotas& quotas_;
  RunFlow& flow_;
  const SchedulerParts& parts_;
};

}  // namespace heddle::hub
