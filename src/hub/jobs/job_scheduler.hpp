// JobScheduler starts jobs when they are due, carries out actions, executes each run to its end and
// schedules the next one. The transition table of lifecycle decides what is allowed; every step is
// stored before it takes effect. Single event loop; everything passed in outlives it.
#pragma once

#include <chrono>
#include <cstddef>
#include <set>
#include <vector>

#include "base/async.hpp"
#include "base/result.hpp"
#include "hub/jobs/day_quotas.hpp"
#include "hub/jobs/job_actions.hpp"
#include "hub/jobs/job_registry.hpp"
#include "hub/jobs/scheduler_parts.hpp"
#include "hub/jobs/startup_recovery.hpp"
#include "hub/runs/run_flow.hpp"
#include "hub/runs/run_slots.hpp"
#include "hub/runs/store_retry.hpp"
#include "schedule/clock_watch.hpp"
#include "schedule/dependencies.hpp"
#include "schedule/overlap_policy.hpp"

namespace heddle::hub {

class JobScheduler {
 public:
  JobScheduler(boost::asio::any_io_executor loop, SchedulerParts parts, SchedulerRules rules);

  // Reads the state of the previous daemon. Call first.
  Async<Status> load() { return registry_.status_store().load(); }
  // Applies the configuration: schedules new and changed jobs and pauses the missing ones until
  // they are back. `broken`: jobs whose files are invalid; their last valid version is passed.
  Async<Status> configure_jobs(std::vector<Job> jobs, std::set<JobId> broken = {});
  // Applies one job and leaves the others.
  Async<Status> configure_job(Job job);
  // Applies one job and ends its unfinished runs, including a paused one that would resume
  // automatically. Stored results are kept. Returns how many runs were ended.
  Async<Result<std::size_t>> configure_for_new_run(Job job);
  // Resumes the runs of the previous daemon. Call after configure_jobs().
  Async<Status> recover();
  // A higher limit takes effect immediately; active runs keep their slots.
  void set_rules(const SchedulerRules& rules);
  // Starts due jobs until shut_down().
  Async<void> run_schedule();
  void shut_down();
  // For tests that advance the clock.
  void wake() { registry_.plan_changed().notify(); }

  // `force`: a stop does not wait for pages in flight. Returns the new status; an error lists the
  // possible actions.
  Async<Result<JobStatus>> act(JobId job, lifecycle::ActionRequest request);

  // The last action is in effect but not stored yet: a daemon that dies now forgets it.
  [[nodiscard]] bool has_pending_write(const JobId& job) const;

  // What was in progress when the job was paused still is: a resume takes effect when that is done.
  [[nodiscard]] bool is_pausing(const JobId& job) const;

  // Deletes the job and its history; refused while it has an unfinished run. A job that is still
  // configured becomes a new one with the next configure_jobs().
  Async<Status> remove(JobId job);

  // While storage is full no run begins: scheduled jobs are paused and resume when there is space
  // again. Active runs continue; other pauses are kept.
  Async<Status> hold_new_runs(bool is_storage_full);

  // Archives jobs that have been stopped or failed for so long; returns how many.
  Async<std::size_t> archive_idle(std::chrono::milliseconds idle);

  // Triggers the job and returns at the end of its run. A run of dead letters does not change check
  // state, dependents and retries of the job.
  Async<Result<ExecutionResult>> run_now(JobId job, RunRequest request);

  [[nodiscard]] const lifecycle::JobStatusStore& status_store() const {
    return registry_.status_store();
  }
  // nullptr: not in the configuration.
  [[nodiscard]] const Job* find_job(const JobId& job) const;
  [[nodiscard]] std::size_t runs_under_way() const { return run_slots_.in_use(); }
  [[nodiscard]] QueuedRuns queued_runs() const { return run_slots_.queued(); }
  [[nodiscard]] std::size_t jobs() const { return registry_.all().size(); }
  // Returns when no run is active.
  Async<void> idle() { return run_slots_.idle(); }

 private:
  // job_planning.cpp: when jobs start.
  [[nodiscard]] schedule::TickAction tick_action(const ManagedJob& entry, RunTrigger trigger) const;
  void replan_all(std::chrono::milliseconds jump);
  void on_due(ManagedJob& entry, WallTime now);
  void request_run(ManagedJob& entry, RunTrigger trigger, WallTime since);
  void enqueue_run(ManagedJob& entry, RunTrigger trigger, WallTime since);
  Async<void> save_queued_run(ManagedJob& entry);
  Async<void> cancel_for_replacement(JobId job);
  Async<void> save_next_run(JobId job);
  Async<Status> check_quota(ManagedJob& entry);
  Async<void> recheck_quota(ManagedJob& entry);

  // job_dependents.cpp: jobs that start after others.
  [[nodiscard]] std::vector<JobId> dependents_of(const Run& ended) const;
  Async<void> trigger_dependents(const Run& ended, const std::set<JobId>& already_triggered);
  bool request_dependent_run(const JobId& observer, WallTime since);
  Async<bool> save_plans(JobId job);
  Async<void> mark_dependents_triggered(JobId job, RunId run);
  Async<Status> trigger_missed_dependents(std::vector<JobStatus> statuses);

  // job_configuration.cpp: applies the configuration.
  Async<Status> sync(ManagedJob& entry);
  Async<Status> apply_configuration(ManagedJob& entry);
  Async<void> configure_one(Job job, Status& worst);
  Async<void> resume_when_idle(ManagedJob& entry);
  Async<Status> pause_missing(JobId job);

  // job_maintenance.cpp: full storage, archiving, deletion.
  Async<Status> wait_until_idle(ManagedJob& entry);
  Async<void> hold(JobId job);
  Async<void> release(JobId job);

  Async<void> start(ManagedJob& entry, RunTrigger trigger, RunSlots::HeldRunSlot slot);
  Async<void> resume_queued(ManagedJob& entry, RunSlots::HeldRunSlot slot);
  Async<void> drop_queued_run(ManagedJob& entry);
  Async<void> on_ended(const ExecutionResult& finished);
  [[nodiscard]] const JobStatus& status_of(const ManagedJob& entry) const {
    return registry_.status_of(entry);
  }

  SchedulerParts parts_;
  SchedulerRules rules_;
  JobRegistry registry_;
  RunSlots run_slots_;
  DayQuotas quotas_;
  StoreRetry store_retry_;
  RunFlow flow_;
  SchedulerTools tools_;
  JobActions actions_;
  schedule::Dependencies dependencies_;
  schedule::ClockWatch clock_watch_;
  bool is_shutting_down_ = false;
};

}  // namespace heddle::hub
