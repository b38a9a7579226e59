#include "hub/jobs/job_scheduler.hpp"

#include <utility>

namespace heddle::hub {

using lifecycle::JobAction;

JobScheduler::JobScheduler(boost::asio::any_io_executor loop, SchedulerParts parts,
                           SchedulerRules rules)
    : parts_(std::move(parts)),
      rules_(rules),
      registry_(parts_),
      run_slots_(rules.runs_in_parallel,
                 [this](ManagedJob& entry, RunTrigger trigger, RunSlots::HeldRunSlot slot) {
                   tools_.spawn(start(entry, trigger, std::move(slot)));
                 }),
      quotas_(registry_, run_slots_, parts_),
      store_retry_(parts_.log, rules.waits_for_store),
      flow_(registry_, quotas_, store_retry_, parts_,
            {[this](const ExecutionResult& finished) { return on_ended(finished); },
             [this](const Run& run) { return !dependents_of(run).empty(); },
             [this](ManagedJob& entry) { tools_.spawn(resume_when_idle(entry)); },
             [this](Async<void> work) { tools_.spawn(std::move(work)); }}),
      tools_{std::move(loop), registry_, run_slots_, quotas_, flow_, store_retry_, parts_},
      actions_(tools_) {}

void JobScheduler::set_rules(const SchedulerRules& rules) {
  rules_ = rules;
  store_retry_.set_enabled(rules.waits_for_store);
  run_slots_.set_limit(rules.runs_in_parallel);
}

void JobScheduler::shut_down() {
  is_shutting_down_ = true;
  run_slots_.close();
  store_retry_.stop();
  registry_.plan_changed().notify();
}

const Job* JobScheduler::find_job(const JobId& job) const {
  const ManagedJob* found = registry_.find(job);
  return found == nullptr || !found->is_configured ? nullptr : &found->job;
}

bool JobScheduler::has_pending_write(const JobId& job) const {
  const ManagedJob* found = registry_.find(job);
  return found != nullptr && found->pending_write;
}

bool JobScheduler::is_pausing(const JobId& job) const {
  const ManagedJob* found = registry_.find(job);
  return found != nullptr && actions_.is_pausing(*found);
}

Async<Result<JobStatus>> JobScheduler::act(JobId job, lifecycle::ActionRequest request) {
  const JobAction action = request.action;
  auto acted = co_await actions_.act(job, std::move(request));
  ManagedJob* entry = registry_.find(job);
  const bool is_restarted = acted && action == JobAction::start;
  if (!is_restarted || entry == nullptr || !entry->is_configured) co_return acted;
  auto synced = co_await sync(*entry);
  if (!synced) co_return std::move(synced).error();
  co_return status_of(*entry);
}

Async<Result<ExecutionResult>> JobScheduler::run_now(JobId job, RunRequest request) {
  if (!request.dead_letters.empty()) {
    request.trigger = RunTrigger::dead_letter;
    request.run = RunId{make_unique_id(parts_.clock.now())};
  }
  ManagedJob* entry = registry_.find(job);
  if (entry == nullptr) co_return Error{ErrorCode::not_found, "there is no job '" + job.text + "'"};
  if (entry->is_busy()) co_return trigger_error(*entry, status_of(*entry));
  auto slot = run_slots_.acquire(*entry);
  auto day = co_await quotas_.claim(*entry);
  if (!day) co_return std::move(day).error();
  request.pages_left = day->pages_left;
  auto entered = co_await flow_.start_job(*entry, request);
  if (!entered) co_return std::move(entered).error();
  co_return co_await flow_.run(*entry, std::move(request), std::move(slot));
}

Async<void> JobScheduler::start(ManagedJob& entry, RunTrigger trigger, RunSlots::HeldRunSlot slot) {
  if (trigger == RunTrigger::resume) co_return co_await resume_queued(entry, std::move(slot));
  const WallTime since = entry.queued_run->since;
  const auto day = co_await quotas_.claim(entry);
  if (!day) {
    parts_.log.info(day.error().message);
    co_return co_await drop_queued_run(entry);
  }
  RunRequest request{.trigger = trigger, .from_queue = true, .pages_left = day->pages_left};
  std::function<Async<Result<JobStatus>>()> attempt = [this, &entry, &request] {
    return flow_.start_job(entry, request);
  };
  auto entered =
      co_await store_retry_.retry<JobStatus>("job '" + entry.job.name + "'", std::move(attempt));
  if (!entered) {
    // The job was paused or stopped meanwhile, or the store is not writable.
    parts_.log.warn(entered.error().message);
    if (registry_.is_storage_full()) co_await hold(entry.job.id);
    co_return co_await drop_queued_run(entry);
  }
  if (parts_.on_start_lag && trigger == RunTrigger::time)
    parts_.on_start_lag(parts_.clock.now() - since);
  co_await flow_.run_detached(entry, std::move(request), std::move(slot));
}

// A run slot is free for the paused run of the job.
Async<void> JobScheduler::resume_queued(ManagedJob& entry, RunSlots::HeldRunSlot slot) {
  std::function<Async<Result<JobStatus>>()> attempt = [this, &entry, &slot] {
    return actions_.resume_with(entry, slot);
  };
  const auto resumed =
      co_await store_retry_.retry<JobStatus>("job '" + entry.job.name + "'", std::move(attempt));
  if (resumed) co_return;
  parts_.log.warn(resumed.error().message);
  co_await drop_queued_run(entry);
}

// Its run could not begin. The stored request stays when this cannot be written.
Async<void> JobScheduler::drop_queued_run(ManagedJob& entry) {
  if (run_slots_.is_closed()) co_return;  // the next daemon starts it
  lifecycle::JobStatusStore::Edit edit = [this, &entry](JobChange& change) {
    if (!entry.is_queued) entry.queued_run.reset();
    registry_.copy_plans(entry, change.now);
  };
  const auto updated = co_await registry_.status_store().update(entry.job.id, std::move(edit));
  if (!updated) parts_.log.warn(updated.error().message);
}

Async<void> JobScheduler::on_ended(const ExecutionResult& finished) {
  const std::set<JobId> none;
  if (parts_.on_run_ended) parts_.on_run_ended(finished);
  if (!dependents_of(finished.run).empty()) co_await trigger_dependents(finished.run, none);
}

}  // namespace heddle::hub
