#include "hub/jobs/job_actions.hpp"

#include <utility>

#include <fmt/format.h>

#include "base/pause.hpp"
#include "lifecycle/status_edits.hpp"

namespace heddle::hub {

using lifecycle::attributed;
using lifecycle::JobAction;
using lifecycle::JobStatusStore;
using lifecycle::JobStep;

namespace {

constexpr std::chrono::milliseconds kForceInterval{10};

// False when the job was paused again or its queued run withdrawn in between.
bool is_same_pause(const JobStatus& now, const JobStatus& before) {
  return now.pause_reason == before.pause_reason && now.queued_run == before.queued_run;
}

Error paused_again(const ManagedJob& entry) {
  return {ErrorCode::conflict,
          fmt::format("job '{}' was paused again while it was resuming", entry.job.name)};
}

}  // namespace

Async<Result<JobStatus>> JobActions::act(JobId job, lifecycle::ActionRequest request) {
  const JobAction action = request.action;
  std::string by = std::move(request.by);
  if (registry_.status_store().find(job) == nullptr)
    co_return Error{ErrorCode::not_found, "there is no job '" + job.text + "'"};
  ManagedJob* entry = registry_.find(job);
  const bool is_allowed_while_pending = action == JobAction::pause || action == JobAction::stop;
  if (entry != nullptr && entry->pending_write && !is_allowed_while_pending)
    co_return pending_write_error(*entry);
  switch (action) {
    case JobAction::pause:
      co_return co_await pause(std::move(job), std::move(by));
    case JobAction::cancel:
      if (has_only_queued_run(job)) co_return co_await withdraw(std::move(job), std::move(by));
      co_return co_await cancel(std::move(job), std::move(by));
    case JobAction::stop:
      co_return co_await stop(std::move(job), request.force, std::move(by));
    case JobAction::archive:
      co_return co_await archive(std::move(job), std::string(), std::move(by));
    case JobAction::start:
      co_return co_await start(std::move(job), std::move(by));
    default:
      break;
  }
  if (entry == nullptr || !entry->is_configured) co_return lifecycle::not_configured(job);
  if (action == JobAction::trigger) co_return co_await trigger(*entry, std::move(by));
  // Its pages and programs in progress may take long: it is resumed when they have finished.
  if (action == JobAction::resume && is_pausing(*entry))
    co_return co_await enqueue_and_store(*entry, RunTrigger::resume, std::move(by));
  if (action == JobAction::resume) co_return co_await resume(*entry, std::move(by));
  co_return Error{ErrorCode::bad_input,
                  fmt::format("`{}` is not an action on jobs", lifecycle::to_text(action))};
}

Async<Result<JobStatus>> JobActions::trigger(ManagedJob& entry, std::string by) {
  const JobStatus& status = registry_.status_of(entry);
  if (!is_allowed(status, JobAction::trigger) || entry.is_busy())
    co_return trigger_error(entry, status);
  if (run_slots_.is_full())
    co_return co_await enqueue_and_store(entry, RunTrigger::manual, std::move(by));
  auto slot = run_slots_.acquire(entry);
  const auto day = co_await quotas_.claim(entry);
  if (!day) co_return day.error();
  RunRequest request{.by = std::move(by), .pages_left = day->pages_left};
  auto entered = co_await flow_.start_job(entry, request);
  if (entered) tools_.spawn(flow_.run_detached(entry, std::move(request), std::move(slot)));
  co_return entered;
}

// Stores the queued run before answering, so that the caller can rely on it.
Async<Result<JobStatus>> JobActions::enqueue_and_store(ManagedJob& entry, RunTrigger trigger,
                                                       std::string by) {
  if (entry.is_queued) co_return registry_.status_of(entry);
  const QueuedRun wanted{trigger, parts_.clock.now()};
  JobStatusStore::Decide decide = [&wanted](const JobStatus& status) -> Result<Steps> {
    if (lifecycle::can_queue(status, wanted)) return Steps();
    const bool is_resume = wanted.trigger == RunTrigger::resume;
    // Refused by the table.
    return Steps{{is_resume ? JobAction::resume : JobAction::trigger}};
  };
  JobStatusStore::Edit edit = [&wanted](JobChange& change) {
    lifecycle::record_queued_run(change, wanted, wanted.since);
  };
  auto updated = co_await registry_.status_store().apply_decided(
      entry.job.id, std::move(decide), attributed(std::move(by), std::move(edit)));
  if (!updated) co_return updated;
  // Unless the job was paused or stopped meanwhile.
  if (registry_.status_of(entry).queued_run)
    run_slots_.enqueue(entry, wanted.trigger, wanted.since);
  co_return updated;
}

// A run is queued and there is no other run to cancel.
bool JobActions::has_only_queued_run(const JobId& job) const {
  const ManagedJob* entry = registry_.find(job);
  const JobStatus& status = registry_.status_of(job);
  const bool is_queued = status.queued_run || (entry != nullptr && entry->is_queued);
  return is_queued && !is_allowed(status, JobAction::cancel);
}

Async<Result<JobStatus>> JobActions::withdraw(JobId job, std::string by) {
  ManagedJob* entry = registry_.find(job);
  std::optional<QueuedRun> withdrawn;
  if (entry != nullptr) {  // before the write, so that it does not begin meanwhile
    withdrawn = entry->queued_run;
    run_slots_.remove_from_queue(*entry);
  }
  JobStatusStore::Edit edit = [this](JobChange& change) {
    lifecycle::withdraw_queued_run(change, parts_.clock.now());
  };
  const auto updated =
      co_await registry_.status_store().update(job, attributed(by, std::move(edit)));
  if (!updated && withdrawn && !entry->queued_run)
    run_slots_.enqueue(*entry, withdrawn->trigger, withdrawn->since);
  co_return updated;
}

Async<Result<JobStatus>> JobActions::pause(JobId job, std::string by) {
  ManagedJob* entry = registry_.find(job);
  // A run can be paused only once it is stored.
  while (registry_.status_of(job).state == JobState::starting && !is_being_prepared(job))
    co_await registry_.status_store().changed();
  if (lifecycle::resumes_automatically(registry_.status_of(job))) {
    JobStatusStore::Edit edit = [this](JobChange& change) {
      lifecycle::convert_to_user_pause(change, parts_.clock.now());
    };
    const auto updated =
        co_await registry_.status_store().update(job, attributed(by, std::move(edit)));
    if (!updated) co_return updated.error();
    if (entry != nullptr && registry_.status_of(*entry).state == JobState::paused)
      quiesce(*entry, Halt::pause);
    if (registry_.status_of(job).state == JobState::paused) co_return registry_.status_of(job);
  }
  const JobStep step{.action = JobAction::pause, .pause_reason = PauseReason::user};
  auto paused =
      co_await registry_.status_store().apply(job, Steps(1, step), attributed(std::move(by)));
  if (!paused && entry != nullptr && can_defer(paused.error()))
    co_return defer(*entry, step, false);
  if (!paused || entry == nullptr) co_return paused;
  quiesce(*entry, Halt::pause);
  co_return paused;
}

bool JobActions::is_being_prepared(const JobId& job) const {
  const ManagedJob* entry = registry_.find(job);
  return entry != nullptr && entry->run && registry_.status_of(job).run == entry->run &&
         parts_.executor.has_stages(entry->job);
}

// Whether what was in progress when its run was paused still is.
bool JobActions::is_pausing(const ManagedJob& entry) const {
  const JobStatus& status = registry_.status_of(entry);
  return entry.run && status.state == JobState::paused && status.run == entry.run;
}

Async<Result<JobStatus>> JobActions::resume(ManagedJob& entry, std::string by) {
  // A pausing run finishes its pages in flight first.
  while (entry.is_busy() && registry_.status_of(entry).state == JobState::paused)
    co_await run_slots_.released().wait();
  const JobStatus status = registry_.status_of(entry);
  if (registry_.is_storage_full() && status.pause_reason == PauseReason::storage_full)
    co_return Error{ErrorCode::conflict,
                    fmt::format("job '{}' continues by itself when there is space: the project has "
                                "reached limits.storage (`heddle status`)",
                                entry.job.name)};
  // Also when a user paused the quarantined job afterwards.
  if (status.pause_reason == PauseReason::quarantined || status.check == CheckState::quarantined)
    parts_.clear_crashes(entry.job.id);
  if (status.pause_reason == PauseReason::quota) {
    const auto day = co_await quotas_.claim(entry);
    if (!day) co_return day.error();
  }
  if (registry_.status_of(entry).pause_reason != status.pause_reason) co_return paused_again(entry);
  RunSlots::HeldRunSlot slot;
  if (status.state == JobState::paused && status.run) {
    if (run_slots_.is_full())
      co_return co_await enqueue_and_store(entry, RunTrigger::resume, std::move(by));
    slot = run_slots_.acquire(entry);  // concurrent resumes wait for this one
  }
  co_return co_await resume_with(entry, std::move(slot), std::move(by));
}

Async<Result<JobStatus>> JobActions::resume_with(ManagedJob& entry, RunSlots::HeldRunSlot slot,
                                                 std::string by) {
  const JobStatus status = registry_.status_of(entry);
  if (status.state == JobState::paused && status.run && slot) {
    auto run = co_await parts_.store.find_run(*status.run);
    if (!run) co_return std::move(run).error();
    if (*run && !(*run)->ended_at)
      co_return co_await resume_run(entry, status, std::move(**run), std::move(slot),
                                    std::move(by));
  }
  JobStatusStore::Decide decide = [this, &entry, &status](const JobStatus& now) -> Result<Steps> {
    if (lifecycle::find_transition(now.state, JobAction::resume, false) == nullptr)
      return Steps{{JobAction::resume}};  // refused by the table
    if (!is_same_pause(now, status)) return paused_again(entry);
    skip_missed_ticks(entry);
    return registry_.steps_to_scheduled(entry, JobAction::resume);
  };
  JobStatusStore::Edit edit = [this, &entry](JobChange& change) {
    change.now.run.reset();
    if (!entry.is_queued) entry.queued_run.reset();
    registry_.copy_plans(entry, change.now);
  };
  co_return co_await registry_.status_store().apply_decided(
      entry.job.id, std::move(decide), attributed(std::move(by), std::move(edit)));
}

// `before`: the status on which the decision is based.
Async<Result<JobStatus>> JobActions::resume_run(ManagedJob& entry, const JobStatus& before, Run run,
                                                RunSlots::HeldRunSlot slot, std::string by) {
  JobStatusStore::Decide decide = [&](const JobStatus& now) -> Result<Steps> {
    if (now.state == JobState::paused && !is_same_pause(now, before)) return paused_again(entry);
    return Steps{{JobAction::resume},
                 {.action = JobAction::trigger, .why = std::string(to_text(RunTrigger::resume))},
                 {.action = JobAction::begin, .run = run.id}};
  };
  entry.run = run.id;  // before the step, so that callers who see its result find the run
  JobStatusStore::Edit edit = [this, &entry](JobChange& change) {
    skip_missed_ticks(entry);
    if (!entry.is_queued) entry.queued_run.reset();
    registry_.copy_plans(entry, change.now);
  };
  auto resumed = co_await registry_.status_store().apply_decided(
      entry.job.id, std::move(decide), attributed(std::move(by), std::move(edit)));
  run_slots_.released().notify();  // wakes callers that wait for the end of the pause
  if (!resumed) {
    entry.run.reset();
    const auto ended = co_await tools_.end_if_not_wanted(entry, std::move(run.id));
    if (!ended) parts_.log.error(ended.error().message);
    co_return resumed;
  }
  auto marked = co_await parts_.store.mark_run(run.id, RunState::in_progress);
  if (!marked) parts_.log.warn(marked.error().message);
  if (entry.job.enabled) registry_.plan(entry);  // for ticks during the run
  tools_.spawn(flow_.resume(entry, std::move(run), std::move(slot)));
  co_return resumed;
}

Async<Result<JobStatus>> JobActions::cancel(JobId job, std::string by, std::string why) {
  ManagedJob* entry = registry_.find(job);
  const bool is_busy_now = entry != nullptr && entry->is_busy();
  // The next run, which may be due already, must not begin before this one has ended.
  RunSlots::HeldRunSlot held_slot;
  if (entry != nullptr && !is_busy_now) held_slot = run_slots_.acquire(*entry);
  JobStatusStore::Decide decide = [this, entry, &why](const JobStatus& status) -> Result<Steps> {
    if (entry == nullptr || !is_allowed(status, JobAction::cancel))
      return Steps{{.action = JobAction::cancel, .why = why}};
    if (status.state == JobState::paused) skip_missed_ticks(*entry);
    Steps steps = registry_.steps_to_scheduled(*entry, JobAction::cancel);
    steps.front().why = why;
    return steps;
  };
  JobStatusStore::Edit edit = [this, entry](JobChange& change) {
    if (entry != nullptr) registry_.copy_plans(*entry, change.now);
  };
  auto cancelled = co_await registry_.status_store().apply_decided(
      job, std::move(decide), attributed(std::move(by), std::move(edit)));
  if (!cancelled) co_return cancelled;
  const bool was_queued_resume =
      entry != nullptr && entry->queued_run && entry->queued_run->trigger == RunTrigger::resume;
  if (was_queued_resume) run_slots_.remove_from_queue(*entry);
  if (is_busy_now) halt(*entry, Halt::cancel);
  // Unless its executor has finished meanwhile.
  if (!cancelled->run || (is_busy_now && entry->is_busy())) co_return cancelled;
  auto ended = co_await tools_.end_inactive_run(job, *cancelled->run, RunState::cancelled);
  if (!ended) co_return std::move(ended).error();
  co_return registry_.status_of(job);
}

Async<Result<JobStatus>> JobActions::stop(JobId job, bool force, std::string by) {
  ManagedJob* entry = registry_.find(job);
  const JobStep step{JobAction::stop};
  auto stopping =
      co_await registry_.status_store().apply(job, Steps(1, step), attributed(std::move(by)));
  if (!stopping && entry != nullptr && can_defer(stopping.error()))
    co_return defer(*entry, step, force);
  if (!stopping) co_return stopping;
  co_return co_await complete_stop(std::move(*stopping), force);
}

// The effects of a stop that is stored.
Async<Result<JobStatus>> JobActions::complete_stop(JobStatus stopping, bool force) {
  ManagedJob* entry = registry_.find(stopping.job);
  if (entry != nullptr) quiesce(*entry, Halt::stop);
  if (stopping.state != JobState::stopping) {
    if (force && entry != nullptr && entry->run) halt(*entry, Halt::force);
    co_return stopping;
  }
  if (entry != nullptr && entry->run) {
    const auto timeout = force ? std::chrono::milliseconds(0) : entry->job.stop_timeout;
    tools_.spawn(force_stop(stopping.job, *entry->run, timeout));
    co_return stopping;
  }
  if (entry != nullptr && entry->is_busy())
    co_return stopping;  // checked again before a page begins
  RunId run = stopping.run.value_or(RunId{});
  auto ended = co_await tools_.end_inactive_run(stopping.job, std::move(run), RunState::stopped);
  if (!ended) co_return std::move(ended).error();
  co_return registry_.status_of(stopping.job);
}

// Whether the store caused the error and writes are retried.
bool JobActions::can_defer(const Error& why) const {
  return why.code == ErrorCode::unavailable && tools_.store_retry.is_enabled();
}

// Returns the status as it will be written; an error when the table forbids the step.
Result<JobStatus> JobActions::defer(ManagedJob& entry, const JobStep& step, bool force) {
  const JobStatus& status = registry_.status_of(entry);
  auto next = lifecycle::after_step(status, step, parts_.clock.now());
  if (!next)
    return Error{ErrorCode::conflict, lifecycle::refusal(entry.job.name, status, step.action)};
  const bool is_pending = entry.pending_write.has_value();
  const bool is_stop = step.action == JobAction::stop;
  if (!is_pending || is_stop) entry.pending_write = PendingWrite{step, force};
  quiesce(entry, is_stop ? Halt::stop : Halt::pause);
  if (!is_pending) tools_.spawn(write_when_possible(entry));
  return std::move(*next);
}

Async<void> JobActions::write_when_possible(ManagedJob& entry) {
  // A later action may replace the step, and the run may end before it is written.
  JobStatusStore::Decide decide = [&entry](const JobStatus& status) -> Result<Steps> {
    const JobStep& step = entry.pending_write->step;
    return is_allowed(status, step.action) ? Steps{step} : Steps();
  };
  auto written = co_await flow_.apply_with_retry(entry, std::move(decide));
  const PendingWrite done = *std::exchange(entry.pending_write, std::nullopt);
  if (!written) co_return parts_.log.error(written.error().message);
  if (written->state != JobState::stopping) co_return;
  const auto stopped = co_await complete_stop(std::move(*written), done.force);
  if (!stopped) parts_.log.error(stopped.error().message);
}

// Results of pages still in flight are rejected afterwards, because their run has ended.
Async<void> JobActions::force_stop(JobId job, RunId run, std::chrono::milliseconds timeout) {
  const Deadline deadline = std::chrono::steady_clock::now() + timeout;
  const auto is_stopping = [this, &job, &run] {
    const JobStatus* status = registry_.status_store().find(job);
    return status != nullptr && status->state == JobState::stopping && status->run == run;
  };
  while (is_stopping() && std::chrono::steady_clock::now() < deadline && !run_slots_.is_closed())
    co_await run_slots_.released().wait(deadline);
  if (!is_stopping() || run_slots_.is_closed()) co_return;
  const ManagedJob* entry = registry_.find(job);
  const bool has_stages = entry != nullptr && parts_.executor.has_stages(entry->job);
  if (has_stages && entry->is_busy()) {
    // The executor ends it, but may not have registered it yet.
    while (is_stopping() && !run_slots_.is_closed() && !parts_.executor.halt(run, Halt::force))
      co_await pause_for(kForceInterval);
    co_return;
  }
  parts_.log.warn(fmt::format("job '{}' did not stop in time: its run was ended", job.text),
                  {.job = job.text, .run = run.text});
  const auto ended =
      co_await tools_.end_inactive_run(std::move(job), std::move(run), RunState::stopped);
  if (!ended) parts_.log.error(ended.error().message);
}

Async<Result<JobStatus>> JobActions::archive(JobId job, std::string why, std::string by) {
  const std::optional<RunId> run = registry_.status_of(job).run;
  Steps steps{{.action = JobAction::archive, .why = std::move(why)}};
  auto archived =
      co_await registry_.status_store().apply(job, std::move(steps), attributed(std::move(by)));
  if (!archived) co_return archived;
  if (ManagedJob* entry = registry_.find(job)) {
    registry_.timetable().pause(entry->number);
    run_slots_.remove_from_queue(*entry);
  }
  if (!run) co_return archived;
  auto ended = co_await tools_.end_inactive_run(std::move(job), *run, RunState::stopped);
  if (!ended) co_return std::move(ended).error();
  co_return archived;
}

Async<Result<JobStatus>> JobActions::start(JobId job, std::string by) {
  const Steps steps{{JobAction::start}};
  auto created = co_await registry_.status_store().apply(job, steps, attributed(std::move(by)));
  const ManagedJob* entry = registry_.find(job);
  if (created && entry != nullptr && entry->is_configured)
    registry_.timetable().set_handled(entry->number, std::nullopt);
  co_return created;
}

// Ticks during a pause are not missed runs.
void JobActions::skip_missed_ticks(const ManagedJob& entry) {
  if (registry_.timetable().handled_until(entry.number))
    registry_.timetable().set_handled(entry.number, parts_.clock.now());
}

// Nothing of the job begins after this.
void JobActions::quiesce(ManagedJob& entry, Halt how) {
  registry_.timetable().pause(entry.number);
  run_slots_.remove_from_queue(entry);
  halt(entry, how);
}

void JobActions::halt(const ManagedJob& entry, Halt how) {
  if (entry.run) parts_.executor.halt(*entry.run, how);
}

}  // namespace heddle::hub
