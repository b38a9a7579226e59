#include "hub/jobs/startup_recovery.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "lifecycle/run_ledger.hpp"
#include "lifecycle/status_edits.hpp"

namespace heddle::hub {

using lifecycle::JobAction;
using lifecycle::JobStatusStore;

namespace {

// Whether a job in this state has a run to resume.
bool keeps_run(JobState state) {
  using enum JobState;
  return state == starting || state == running || state == paused;
}

// The daemon died after the job was paused and before its pages in flight were done.
Async<Status> mark_paused(const SchedulerTools& tools, RunId id,
                          const std::vector<Run>& unfinished) {
  for (const Run& run : unfinished)
    if (run.id == id && run.state == RunState::in_progress)
      co_return co_await tools.parts.store.mark_run(std::move(id), RunState::paused);
  co_return Done{};
}

// Queues the runs again that were queued, in their order and behind those that had a slot.
void requeue_runs(const SchedulerTools& tools) {
  std::vector<ManagedJob*> queued;
  for (const auto& [id, entry] : tools.registry.all()) {
    if (!entry->queued_run || entry->is_queued) continue;
    if (entry->is_configured &&
        lifecycle::can_queue(tools.registry.status_of(*entry), *entry->queued_run))
      queued.push_back(entry.get());
    else
      entry->queued_run.reset();
  }
  std::stable_sort(queued.begin(), queued.end(), [](const ManagedJob* a, const ManagedJob* b) {
    return a->queued_run->since < b->queued_run->since;
  });
  for (ManagedJob* entry : queued)
    tools.run_slots.enqueue(*entry, entry->queued_run->trigger, entry->queued_run->since);
}

// Its run ended just before the daemon did.
Async<Status> finish_ended(const SchedulerTools& tools, ManagedJob& entry,
                           const JobStatus& status) {
  ExecutionResult finished;
  if (status.run) {
    auto run = co_await tools.parts.store.find_run(*status.run);
    if (!run) co_return std::move(run).error();
    if (*run) finished.run = std::move(**run);
  }
  if (!is_terminal(finished.run.state)) finished.run.state = RunState::failed;
  co_return co_await tools.flow.apply_run_end(entry, finished);
}

// Resumes a run from any state of its job.
Async<Status> resume_run(const SchedulerTools& tools, ManagedJob& entry, const Run& run) {
  RunSlots::HeldRunSlot slot = tools.run_slots.acquire(entry);
  JobStatusStore::Decide decide = [&run](const JobStatus& status) -> Result<Steps> {
    Steps steps;
    if (status.state == JobState::running) return steps;
    if (status.state != JobState::starting)
      steps.push_back({.action = JobAction::trigger, .why = "restart"});
    steps.push_back({.action = JobAction::begin, .run = run.id});
    return steps;
  };
  entry.run = run.id;  // before the step, so that callers who see its result find the run
  entry.is_recovered = true;
  const auto begun =
      co_await tools.registry.status_store().apply_decided(entry.job.id, std::move(decide));
  if (!begun) {
    entry.run.reset();
    co_return begun.error();
  }
  tools.parts.log.info(fmt::format("job '{}': resuming run {} ({} of {} pages done)",
                                   entry.job.name, run.id.text, run.pages.done, run.pages.total),
                       {.job = entry.job.id.text, .run = run.id.text});
  if (entry.job.enabled) tools.registry.plan(entry);  // for ticks during the run
  tools.spawn(tools.flow.resume(entry, run, std::move(slot)));
  co_return Done{};
}

Async<void> restart_run(const SchedulerTools& tools, ManagedJob& entry,
                        RunSlots::HeldRunSlot slot) {
  const auto day = co_await tools.quotas.claim(entry);
  if (!day) co_return tools.parts.log.info(day.error().message);
  RunRequest request{.trigger = RunTrigger::restart, .pages_left = day->pages_left};
  if (entry.job.enabled) tools.registry.plan(entry);
  const auto ended = co_await tools.flow.run(entry, std::move(request), std::move(slot));
  if (!ended) tools.parts.log.error(ended.error().message);
}

Async<Status> recover_active(const SchedulerTools& tools, ManagedJob& entry,
                             const std::vector<Run>& unfinished) {
  const JobStatus status = tools.registry.status_of(entry);
  if (status.state != JobState::starting && status.state != JobState::running) co_return Done{};
  if (entry.is_busy()) co_return Done{};  // an earlier attempt to recover has resumed it
  // The run of a starting job may be stored without being named in the job's status yet.
  const auto found = std::find_if(unfinished.begin(), unfinished.end(), [&status](const Run& run) {
    return status.run ? run.id == *status.run : run.job == status.job;
  });
  if (found != unfinished.end()) co_return co_await resume_run(tools, entry, *found);
  if (status.state == JobState::starting && status.run)
    co_return co_await tools.flow.cancel_start(entry);
  if (status.state == JobState::starting) {
    tools.spawn(restart_run(tools, entry, tools.run_slots.acquire(entry)));
    co_return Done{};
  }
  co_return co_await finish_ended(tools, entry, status);
}

Async<Status> recover_job(const SchedulerTools& tools, const JobId& job,
                          const std::vector<Run>& unfinished) {
  const JobStatus status = tools.registry.status_of(job);
  RunId run = status.run.value_or(RunId{});
  if (status.state == JobState::stopping)
    co_return co_await tools.end_inactive_run(job, std::move(run), RunState::stopped);
  if (status.run && !keeps_run(status.state))
    co_return co_await tools.end_inactive_run(job, std::move(run), RunState::cancelled);
  if (status.run && status.state == JobState::paused)
    co_return co_await mark_paused(tools, std::move(run), unfinished);
  ManagedJob* entry = tools.registry.find(job);
  if (entry == nullptr || !entry->is_configured) co_return Done{};
  co_return co_await recover_active(tools, *entry, unfinished);
}

// Including their remaining stages.
Async<Result<std::size_t>> end_staged_runs(const SchedulerTools& tools, ManagedJob& entry) {
  auto unfinished = co_await tools.parts.store.unfinished_runs();
  if (!unfinished) co_return std::move(unfinished).error();
  std::size_t ended = 0;
  for (Run& run : *unfinished) {
    if (run.job != entry.job.id) continue;
    std::string why = lifecycle::kReplacedByLaterRun;
    auto done = co_await tools.flow.end_staged_run(entry, std::move(run), std::move(why));
    if (!done) co_return std::move(done).error();
    ++ended;
  }
  co_return ended;
}

Async<void> end_orphan(const SchedulerTools& tools, ManagedJob& entry, Run run,
                       RunSlots::HeldRunSlot slot) {
  const RunSlots::HeldRunSlot held_slot = std::move(slot);
  std::string why =
      fmt::format("heddle was stopped before this run had ended, and its job is {} now",
                  to_text(tools.registry.status_of(entry).state));
  const auto ended = co_await tools.flow.end_staged_run(entry, std::move(run), std::move(why));
  if (!ended) tools.parts.log.error(ended.error().message);
}

// A run that no job's status names: resumed if its job may run, otherwise ended.
Async<Status> recover_orphan(const SchedulerTools& tools, const Run& run) {
  ManagedJob* entry = tools.registry.find(run.job);
  const JobStatus& status = tools.registry.status_of(run.job);
  const bool is_known = entry != nullptr && entry->is_configured;
  const bool has_status = tools.registry.status_store().find(run.job) != nullptr;
  if (!is_known && has_status && is_over(status.state))
    co_return co_await tools.flow.end_inactive_run(run.job, run.id, RunState::stopped);
  if (!is_known) {
    tools.parts.log.warn(
        fmt::format("job '{}' is missing or has errors (`heddle check`): its run {} waits, {} of "
                    "{} pages are done",
                    run.job.text, run.id.text, run.pages.done, run.pages.total),
        {.job = run.job.text, .run = run.id.text});
    co_return Done{};
  }
  if (entry->is_busy() || status.run == run.id) co_return Done{};
  if (lifecycle::find_transition(status.state, JobAction::trigger, false) == nullptr) {
    tools.spawn(end_orphan(tools, *entry, run, tools.run_slots.acquire(*entry)));
    co_return Done{};
  }
  auto recovered = co_await resume_run(tools, *entry, run);
  if (!recovered) tools.parts.log.warn(recovered.error().message);
  co_return Done{};
}

}  // namespace

Async<Status> recover_jobs(const SchedulerTools& tools) {
  auto unfinished = co_await tools.parts.store.unfinished_runs();
  if (!unfinished) co_return std::move(unfinished).error();
  std::vector<JobId> jobs;
  for (const auto& [id, status] : tools.registry.status_store().all()) jobs.push_back(id);
  for (const JobId& job : jobs) {
    auto recovered = co_await recover_job(tools, job, *unfinished);
    if (!recovered) co_return recovered;
  }
  for (const Run& run : *unfinished) {
    auto settled = co_await recover_orphan(tools, run);
    if (!settled) co_return settled;
  }
  requeue_runs(tools);
  co_return Done{};
}

Async<Result<std::size_t>> end_interrupted_runs(const SchedulerTools& tools, JobId job) {
  ManagedJob* entry = tools.registry.find(job);
  if (entry == nullptr || tools.registry.status_of(*entry).state == JobState::paused) co_return 0;
  if (tools.parts.executor.has_stages(entry->job)) {
    auto ended = co_await end_staged_runs(tools, *entry);
    if (!ended || *ended > 0) co_return ended;
  }
  lifecycle::RunLedger ledger(tools.parts.store, tools.parts.clock);
  auto settled = co_await ledger.end_interrupted_runs(job);
  if (!settled) co_return settled;
  if (tools.registry.status_of(*entry).state == JobState::stopping) {
    RunId none;
    auto ended =
        co_await tools.flow.end_inactive_run(std::move(job), std::move(none), RunState::stopped);
    if (!ended) co_return std::move(ended).error();
  } else {
    const Error why{ErrorCode::unavailable, "heddle stopped before this run had ended"};
    co_await tools.flow.fail_job(*entry, why);
  }
  co_return settled;
}

}  // namespace heddle::hub
