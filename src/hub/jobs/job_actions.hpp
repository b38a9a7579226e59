// JobActions carries out the actions of users and of the daemon on jobs, as far as the transition
// table of lifecycle allows. Single event loop; everything passed in outlives it.
#pragma once

#include <chrono>
#include <string>

#include "base/async.hpp"
#include "base/result.hpp"
#include "hub/jobs/pending_writes.hpp"
#include "hub/jobs/scheduler_tools.hpp"

namespace heddle::hub {

class JobActions {
 public:
  JobActions(const JobActions&) = delete;
  JobActions& operator=(const JobActions&) = delete;
  explicit JobActions(const SchedulerTools& tools)
      : tools_(tools),
        registry_(tools.registry),
        run_slots_(tools.run_slots),
        quotas_(tools.quotas),
        flow_(tools.flow),
        parts_(tools.parts),
        pending_writes_(
            tools, [this](ManagedJob& entry, Halt how) { quiesce(entry, how); },
            [this](JobStatus status, bool force) {
              return finish_deferred(std::move(status), force);
            }) {}

  // Who acts when no user does.
  static constexpr const char* kDaemon = "daemon";

  // Returns the new status; an error lists the possible actions. The caller schedules a job after
  // `start`.
  Async<Result<JobStatus>> act(JobId job, lifecycle::ActionRequest request);

  Async<Result<JobStatus>> resume(ManagedJob& entry, std::string by = kDaemon);
  // Resumes the paused run of the job in this run slot.
  Async<Result<JobStatus>> resume_with(ManagedJob& entry, RunSlots::HeldRunSlot slot,
                                       std::string by = kDaemon);
  Async<Result<JobStatus>> cancel(JobId job, std::string by = kDaemon);
  Async<Result<JobStatus>> archive(JobId job, std::string why, std::string by = kDaemon);

 private:
  Async<Result<JobStatus>> trigger(ManagedJob& entry, std::string by);
  Async<Result<JobStatus>> enqueue_and_store(ManagedJob& entry, RunTrigger trigger, std::string by);
  [[nodiscard]] bool has_only_queued_run(const JobId& job) const;
  Async<Result<JobStatus>> withdraw(JobId job, std::string by);
  Async<Result<JobStatus>> pause(JobId job, std::string by);
  Async<Result<JobStatus>> resume_run(ManagedJob& entry, const JobStatus& before, Run run,
                                      RunSlots::HeldRunSlot slot, std::string by);
  Async<Result<JobStatus>> stop(JobId job, bool force, std::string by);
  Async<Result<JobStatus>> complete_stop(JobStatus stopping, bool force);
  Async<void> finish_deferred(JobStatus status, bool force);
  Async<void> force_stop(JobId job, RunId run, std::chrono::milliseconds timeout);
  Async<Result<JobStatus>> start(JobId job, std::string by);

  [[nodiscard]] const JobStatus& status_of(const ManagedJob& entry) const {
    return registry_.status_of(entry);
  }
  [[nodiscard]] bool is_being_prepared(const JobId& job) const;
  void skip_missed_ticks(const ManagedJob& entry);
  void quiesce(ManagedJob& entry, Halt how);
  void halt(const ManagedJob& entry, Halt how);

  const SchedulerTools tools_;
  JobRegistry& registry_;
  RunSlots& run_slots_;
  DayQuotas& quotas_;
  RunFlow& flow_;
  const SchedulerParts& parts_;
  PendingWrites pending_writes_;
};

}  // namespace heddle::hub
