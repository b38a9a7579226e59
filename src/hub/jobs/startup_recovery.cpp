#include "hub/jobs/startup_recovery.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "lifecycle/run_ledger.hpp"
#include "lifecycle/status_edits.hpp"

namespace heddle::hub {

using lifecycle::JobAction;
using lifecycle::JobStatusStore;
using lifecycle::JobStep;

namespace {

bool is_over(JobState state) {
  return state == JobState::stopped || state == JobState::archived;
}

// Whether a job in this state has a run to resume.
bool keeps_run(JobState state) {
  using enum JobState;
  return state == starting || state == running || state == paused;
}

}  // namespace

Async<Status> StartupRecovery::recover() {
  auto unfinished = co_await parts_.store.unfinished_runs();
  if (!unfinished) co_return std::move(unfinished).error();
  std::vector<JobId> jobs;
  for (const auto& [id, status] : registry_.status_store().all()) jobs.push_back(id);
  for (const JobId& job : jobs) {
    auto recovered = co_await recover_job(job, *unfinished);
    if (!recovered) co_return recovered;
  }
  for (const Run& run : *unfinished) {
    auto settled = co_await recover_orphan(run);
    if (!settled) co_return settled;
  }
  requeue_runs();
  co_return Done{};
}

Async<Status> StartupRecovery::recover_job(const JobId& job, const std::vector<Run>& unfinished) {
  const JobStatus status = registry_.status_of(job);
  RunId run = status.run.value_or(RunId{});
  if (status.state == JobState::stopping)
    co_return co_await tools_.end_inactive_run(job, std::move(run), RunState::stopped);
  if (status.run && !keeps_run(status.state))
    co_return co_await tools_.end_inactive_run(job, std::move(run), RunState::cancelled);
  if (status.run && status.state == JobState::paused)
    co_return co_await mark_paused(std::move(run), unfinished);
  ManagedJob* entry = registry_.find(job);
  if (entry == nullptr || !entry->is_configured) co_return Done{};
  co_return co_await recover_active(*entry, unfinished);
}

// The daemon died after the job was paused and before its pages in flight were done.
Async<Status> StartupRecovery::mark_paused(RunId id, const std::vector<Run>& unfinished) {
  for (const Run& run : unfinished)
    if (run.id == id && run.state == RunState::in_progress)
      co_return co_await parts_.store.mark_run(std::move(id), RunState::paused);
  co_return Done{};
}

// Queues the runs again that were queued, in their order and behind those that had a slot.
void StartupRecovery::requeue_runs() {
  std::vector<ManagedJob*> queued;
  for (const auto& [id, entry] : registry_.all()) {
    if (!entry->queued_run || entry->is_queued) continue;
    if (entry->is_configured &&
        lifecycle::can_queue(registry_.status_of(*entry), *entry->queued_run))
      queued.push_back(entry.get());
    else
      entry->queued_run.reset();
  }
  std::stable_sort(queued.begin(), queued.end(), [](const ManagedJob* a, const ManagedJob* b) {
    return a->queued_run->since < b->queued_run->since;
  });
  for (ManagedJob* entry : queued) {
    const QueuedRun request = *entry->queued_run;
    run_slots_.enqueue(*entry, request.trigger, request.since);
  }
}

Async<Status> StartupRecovery::recover_active(ManagedJob& entry,
                                              const std::vector<Run>& unfinished) {
  const JobStatus status = registry_.status_of(entry);
  if (status.state != JobState::starting && status.state != JobState::running) co_return Done{};
  // The run of a starting job may be stored without being named in the job's status yet.
  const auto found = std::find_if(unfinished.begin(), unfinished.end(), [&status](const Run& run) {
    return status.run ? run.id == *status.run : run.job == status.job;
  });
  if (found != unfinished.end()) co_return co_await resume_run(entry, *found);
  if (status.state == JobState::starting && status.run)
    co_return co_await flow_.cancel_start(entry);
  if (status.state == JobState::starting) {
    tools_.spawn(restart_run(entry, run_slots_.acquire(entry)));
    co_return Done{};
  }
  co_return co_await finish_ended(entry, status);
}

// Its run ended just before the daemon did.
Async<Status> StartupRecovery::finish_ended(ManagedJob& entry, const JobStatus& status) {
  ExecutionResult finished;
  if (status.run) {
    auto run = co_await parts_.store.find_run(*status.run);
    if (!run) co_return std::move(run).error();
    if (*run) finished.run = std::move(**run);
  }
  if (!is_terminal(finished.run.state)) finished.run.state = RunState::failed;
  co_return co_await flow_.apply_run_end(entry, finished);
}

// Resumes a run from any state of its job.
Async<Status> StartupRecovery::resume_run(ManagedJob& entry, const Run& run) {
  RunSlots::HeldRunSlot slot = run_slots_.acquire(entry);
  JobStatusStore::Decide decide = [&run](const JobStatus& status) -> Result<Steps> {
    Steps steps;
    if (status.state == JobState::running) return steps;
    if (status.state != JobState::starting) {
      steps.push_back(JobStep{JobAction::trigger});
      steps.back().why = "restart";
    }
    steps.push_back(JobStep{JobAction::begin});
    steps.back().run = run.id;
    return steps;
  };
  entry.run = run.id;  // before the step, so that callers who see its result find the run
  entry.is_recovered = true;
  auto applying = registry_.status_store().apply_decided(entry.job.id, std::move(decide));
  const auto begun = co_await std::move(applying);
  if (!begun) {
    entry.run.reset();
    co_return begun.error();
  }
  parts_.log.info(fmt::format("job '{}': going on with run {} ({} of {} pages are done)",
                              entry.job.name, run.id.text, run.pages.done, run.pages.total));
  if (entry.job.enabled) registry_.plan(entry);  // for ticks during the run
  tools_.spawn(flow_.resume(entry, run, std::move(slot)));
  co_return Done{};
}

Async<void> StartupRecovery::restart_run(ManagedJob& entry, RunSlots::HeldRunSlot slot) {
  const auto day = co_await quotas_.claim(entry);
  if (!day) co_return parts_.log.info(day.error().message);
  RunRequest request;
  request.trigger = RunTrigger::restart;
  request.pages_left = day->pages_left;
  if (entry.job.enabled) registry_.plan(entry);
  const auto ended = co_await flow_.run(entry, std::move(request), std::move(slot));
  if (!ended) parts_.log.error(ended.error().message);
}

Async<Result<std::size_t>> StartupRecovery::end_interrupted_runs(JobId job) {
  ManagedJob* entry = registry_.find(job);
  if (entry == nullptr || registry_.status_of(*entry).state == JobState::paused) co_return 0;
  if (parts_.executor.has_stages(entry->job)) {
    auto ended = co_await end_staged_runs(*entry);
    if (!ended || *ended > 0) co_return ended;
  }
  lifecycle::RunLedger ledger(parts_.store, parts_.clock);
  auto settled = co_await ledger.end_interrupted_runs(job);
  if (!settled) co_return settled;
  if (registry_.status_of(*entry).state == JobState::stopping) {
    RunId none;
    auto ended =
        co_await flow_.end_inactive_run(std::move(job), std::move(none), RunState::stopped);
    if (!ended) co_return std::move(ended).error();
  } else {
    const Error why{ErrorCode::unavailable, "heddle ended before its run did"};
    co_await flow_.fail_job(*entry, why);
  }
  co_return settled;
}

// Including their remaining stages.
Async<Result<std::size_t>> StartupRecovery::end_staged_runs(ManagedJob& entry) {
  auto unfinished = co_await parts_.store.unfinished_runs();
  if (!unfinished) co_return std::move(unfinished).error();
  std::size_t ended = 0;
  for (Run& run : *unfinished) {
    if (run.job != entry.job.id) continue;
    auto done = co_await flow_.end_staged_run(entry, std::move(run));
    if (!done) co_return std::move(done).error();
    ++ended;
  }
  co_return ended;
}

// A run that no job's status names: resumed if its job may run, otherwise ended.
Async<Status> StartupRecovery::recover_orphan(const Run& run) {
  ManagedJob* entry = registry_.find(run.job);
  const JobStatus& status = registry_.status_of(run.job);
  const bool is_known = entry != nullptr && entry->is_configured;
  const bool has_status = registry_.status_store().find(run.job) != nullptr;
  if (!is_known && has_status && is_over(status.state)) {
    JobId job = run.job;
    RunId id = run.id;
    co_return co_await flow_.end_inactive_run(std::move(job), std::move(id), RunState::stopped);
  }
  if (!is_known) {
    parts_.log.warn(fmt::format(
        "job '{}' is missing or has mistakes (see `heddle check`): its run {} waits, {} "
        "of {} pages are done",
        run.job.text, run.id.text, run.pages.done, run.pages.total));
    co_return Done{};
  }
  if (entry->is_busy() || status.run == run.id) co_return Done{};
  if (lifecycle::find_transition(status.state, JobAction::trigger, false) == nullptr) {
    tools_.spawn(end_orphan(*entry, run, run_slots_.acquire(*entry)));
    co_return Done{};
  }
  auto recovered = co_await resume_run(*entry, run);
  if (!recovered) parts_.log.warn(recovered.error().message);
  co_return Done{};
}

Async<void> StartupRecovery::end_orphan(ManagedJob& entry, Run run, RunSlots::HeldRunSlot slot) {
  const RunSlots::HeldRunSlot held_slot = std::move(slot);
  const auto ended = co_await flow_.end_staged_run(entry, std::move(run));
  if (!ended) parts_.log.error(ended.error().message);
}

}  // namespace heddle::hub
