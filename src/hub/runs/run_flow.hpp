// RunFlow takes a run from its first step to its end: stores it, has the executor of its job's kind
// execute it, stores the end and moves the job on. Every step is stored before it takes effect, for
// as long as the store is not writable. Single event loop; everything passed in outlives it.
#pragma once

#include <functional>
#include <optional>

#include "base/async.hpp"
#include "base/result.hpp"
#include "hub/jobs/day_quotas.hpp"
#include "hub/jobs/job_registry.hpp"
#include "hub/runs/run_slots.hpp"
#include "hub/runs/store_retry.hpp"
#include "lifecycle/quota.hpp"

namespace heddle::hub {

class RunFlow {
 public:
  using HeldRunSlot = RunSlots::HeldRunSlot;
  using Decide = lifecycle::JobStatusStore::Decide;
  using Edit = lifecycle::JobStatusStore::Edit;
  // Callbacks to the scheduler.
  struct Owner {
    // The run has ended and the job's status is stored. The run slot is held until this returns.
    std::function<Async<void>(const ExecutionResult&)> on_ended;
    // Whether other jobs start after it: its end is remembered until they are triggered.
    std::function<bool(const Run&)> has_dependents;
    // The job was paused because it could not be read, but its files were read again since.
    std::function<void(ManagedJob&)> recheck;
    // Runs it beside the caller.
    std::function<void(Async<void>)> spawn;
  };

  RunFlow(JobRegistry& registry, DayQuotas& quotas, StoreRetry& store_retry,
          const SchedulerParts& parts, Owner owner)
      : registry_(registry),
        quotas_(quotas),
        store_retry_(store_retry),
        parts_(parts),
        owner_(std::move(owner)) {}

  // The first step of every run.
  Async<Result<JobStatus>> start_job(ManagedJob& entry, const RunRequest& request);
  // From that step to the end of the run.
  Async<Result<ExecutionResult>> run(ManagedJob& entry, RunRequest request, HeldRunSlot slot);
  // The same without an observer; errors are logged.
  Async<void> run_detached(ManagedJob& entry, RunRequest request, HeldRunSlot slot);
  // From any stage of the run to its end; its job is `running`.
  Async<void> resume(ManagedJob& entry, Run run, HeldRunSlot slot);

  // Ends a run with stages that will not be resumed; `why` is stored with it.
  Async<Status> end_staged_run(ManagedJob& entry, Run run, std::string why);

  // Updates the job after the end of its run.
  Async<Status> apply_run_end(ManagedJob& entry, const ExecutionResult& finished);
  // The run could not be executed. It stays in the store as it is, for the next daemon.
  Async<void> fail_job(ManagedJob& entry, const Error& why);
  // The dead letter run was never stored: the dead letters are kept, and the job has not failed.
  Async<Status> cancel_start(ManagedJob& entry);
  // Ends a run that is not executing, if an id is given, and a job that is stopping.
  Async<Status> end_inactive_run(JobId job, RunId run, RunState state);
  // The unfinished run, if it has stages left: then resume() must end it.
  Async<Result<std::optional<Run>>> find_staged_run(const ManagedJob* entry, RunId run);
  // JobStatusStore::apply_decided() for as long as the store is not writable.
  Async<Result<JobStatus>> apply_with_retry(const ManagedJob& entry, Decide decide,
                                            Edit edit = nullptr);

 private:
  class ServiceObserver;
  // The service of the run is ready: its job is healthy.
  Async<void> note_ready(const ManagedJob& entry, Run run);
  Async<Result<Run>> begin(ManagedJob& entry, RunRequest& request);
  Async<Result<bool>> prepare(ManagedJob& entry, const Run& run, RunRequest& request);
  Async<Result<ExecutionResult>> end_before_work(ManagedJob& entry, Run run);
  Async<Result<ExecutionResult>> work(ManagedJob& entry, Run run, RunRequest request);
  Async<Result<ExecutionResult>> execute(const ManagedJob& entry, const Run& run,
                                         const RunRequest& request);
  [[nodiscard]] bool must_end(const ManagedJob& entry, const RunId& run) const;
  Async<void> report_end(const ExecutionResult& finished);
  void halt_if_requested(const ManagedJob& entry, const RunId& run);
  void record_end(const ManagedJob& entry, const ExecutionResult& finished,
                  const lifecycle::DayQuota& quota, JobChange& change);
  Steps steps_after(ManagedJob& entry, const JobStatus& status, const ExecutionResult& finished,
                    const lifecycle::DayQuota& quota);
  Steps pause_steps(const ManagedJob& entry, const JobStatus& status,
                    const ExecutionResult& finished);
  Steps completion_steps(ManagedJob& entry, const JobStatus& status,
                         const ExecutionResult& finished, const lifecycle::DayQuota& quota);
  void plan_retry(ManagedJob& entry, const JobStatus& status, const Run& failed_run);
  void plan_next(ManagedJob& entry, const lifecycle::DayQuota& quota, Steps& steps);

  JobRegistry& registry_;
  DayQuotas& quotas_;
  StoreRetry& store_retry_;
  const SchedulerParts& parts_;
  Owner owner_;
};

}  // namespace heddle::hub
