// JobScheduler: starts dependent jobs. The end of an upstream run is stored together with a mark
// that its dependents are still to be triggered; their queued runs are stored before the mark is
// cleared, and begin after that. So each dependent starts exactly once, whenever the daemon dies.
#include <utility>

#include "hub/jobs/job_scheduler.hpp"

namespace heddle::hub {

using lifecycle::JobAction;
using schedule::TickAction;

std::vector<JobId> JobScheduler::dependents_of(const Run& ended) const {
  if (ended.trigger == RunTrigger::dead_letter) return {};
  // A run that will be retried has not ended for its dependents.
  const ManagedJob* entry = registry_.find(ended.job);
  if (entry != nullptr && entry->retry_at) return {};
  return dependencies_.jobs_triggered_by(ended.job, ended.state);
}

// `already_triggered`: stored before the daemon died.
Async<void> JobScheduler::trigger_dependents(const Run& ended,
                                             const std::set<JobId>& already_triggered) {
  const WallTime now = parts_.clock.now();
  std::vector<JobId> starting;
  for (const JobId& dependent : dependents_of(ended))
    if (!already_triggered.contains(dependent) && request_dependent_run(dependent, now))
      starting.push_back(dependent);
  bool is_saved = true;
  for (const JobId& dependent : starting) is_saved = co_await save_plans(dependent) && is_saved;
  if (is_saved) co_await mark_dependents_triggered(ended.job, ended.id);
  if (run_slots_.is_closed()) co_return;  // the next daemon starts them
  for (const JobId& dependent : starting) {
    ManagedJob* entry = registry_.find(dependent);
    // It may have been withdrawn or started meanwhile.
    if (entry == nullptr || !entry->queued_run || !entry->is_configured) continue;
    const bool is_skipped = tick_action(*entry, RunTrigger::after) == TickAction::skip;
    request_run(*entry, RunTrigger::after, now);
    if (is_skipped && !entry->is_queued) tools_.spawn(drop_queued_run(*entry));
  }
}

// Whether the job starts after the upstream run; if so, its run is part of its plans.
bool JobScheduler::request_dependent_run(const JobId& dependent, WallTime since) {
  ManagedJob* entry = registry_.find(dependent);
  if (entry == nullptr || !entry->is_configured || !entry->job.enabled) return false;
  // Paused and stopped jobs do not start later either.
  const JobStatus& status = status_of(*entry);
  if (!entry->is_busy() && !is_allowed(status, JobAction::trigger)) return false;
  if (tick_action(*entry, RunTrigger::after) == TickAction::skip) {
    request_run(*entry, RunTrigger::after, since);  // logs the skip
    return false;
  }
  if (!entry->queued_run) entry->queued_run = QueuedRun{RunTrigger::after, since};
  return true;
}

Async<bool> JobScheduler::save_plans(JobId job) {
  lifecycle::JobStatusStore::Edit edit = [this, &job](JobChange& change) {
    if (const ManagedJob* entry = registry_.find(job)) registry_.copy_plans(*entry, change.now);
  };
  const auto updated = co_await registry_.status_store().update(job, std::move(edit));
  if (updated || updated.error().code == ErrorCode::not_found) co_return true;  // or deleted
  parts_.log.warn(updated.error().message);
  co_return false;
}

Async<void> JobScheduler::mark_dependents_triggered(JobId job, RunId run) {
  lifecycle::JobStatusStore::Edit clear = [&run](JobChange& change) {
    if (change.now.unpropagated_run == run) change.now.unpropagated_run.reset();
  };
  const auto updated = co_await registry_.status_store().update(job, std::move(clear));
  if (!updated) parts_.log.warn(updated.error().message);
}

Async<Status> JobScheduler::recover() {
  std::vector<JobStatus> before;
  for (const auto& [id, status] : registry_.status_store().all()) before.push_back(status);
  auto recovered = co_await recover_jobs(tools_);
  if (!recovered) co_return recovered;
  co_return co_await trigger_missed_dependents(std::move(before));
}

// `statuses`: as the previous daemon left them.
Async<Status> JobScheduler::trigger_missed_dependents(std::vector<JobStatus> statuses) {
  std::set<JobId> already_triggered;
  for (const JobStatus& status : statuses)
    if (status.queued_run && status.queued_run->trigger == RunTrigger::after)
      already_triggered.insert(status.job);
  for (const JobStatus& status : statuses) {
    if (!status.unpropagated_run) continue;
    auto run = co_await parts_.store.find_run(*status.unpropagated_run);
    if (!run) co_return std::move(run).error();
    if (*run)
      co_await trigger_dependents(**run, already_triggered);
    else
      co_await mark_dependents_triggered(status.job, *status.unpropagated_run);
  }
  co_return Done{};
}

}  // namespace heddle::hub
