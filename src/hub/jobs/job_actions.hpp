// JobActions carries out the actions of users and of the daemon on jobs, as far as the transition
// table of lifecycle allows. Single event loop; everything passed in outlives it.
#pragma once

#include <chrono>
#include <string>

#include "base/async.hpp"
#include "base/result.hpp"
#include "hub/jobs/scheduler_tools.hpp"

namespace heddle::hub {

class JobActions {
 public:
  explicit JobActions(const SchedulerTools& tools)
      : tools_(tools),
        registry_(tools.registry),
        run_slots_(tools.run_slots),
        quotas_(tools.quotas),
        flow_(tools.flow),
        parts_(tools.parts) {}

  // Who acts when no user does.
  static constexpr const char* kDaemon = "daemon";

  // Returns the new status; an error lists the possible actions. The caller schedules a job after
  // `start`.
  Async<Result<JobStatus>> act(JobId job, lifecycle::ActionRequest request);

  [[nodiscard]] bool is_pausing(const ManagedJob& entry) const;
  // Returns when the run continues: after what was in progress when it was paused.
  Async<Result<JobStatus>> resume(ManagedJob& entry, std::string by = kDaemon);
  // Resumes the paused run of the job in this run slot.
  Async<Result<JobStatus>> resume_with(ManagedJob& entry, RunSlots::HeldRunSlot slot,
                                       std::string by = kDaemon);
  // `why` is stored with the event.
  Async<Result<JobStatus>> cancel(JobId job, std::string by = kDaemon, std::string why = {});
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
  // While the store is not writable, pauses and stops take effect immediately and are written as
  // soon as possible. A daemon that ends before that forgets them.
  [[nodiscard]] bool can_defer(const Error& why) const;
  Result<JobStatus> defer(ManagedJob& entry, const lifecycle::JobStep& step, bool force);
  Async<void> write_when_possible(ManagedJob& entry);
  Async<void> force_stop(JobId job, RunId run, std::chrono::milliseconds timeout);
  Async<Result<JobStatus>> start(JobId job, std::string by);

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
};

}  // namespace heddle::hub
