#include "hub/runs/run_flow.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "lifecycle/run_end.hpp"
#include "lifecycle/run_ledger.hpp"
#include "model/job/retry.hpp"

namespace heddle::hub {

using lifecycle::JobAction;
using lifecycle::JobStatusStore;

namespace {

bool is_dead_letter_run(const Run& run) {
  return run.trigger == RunTrigger::dead_letter;
}

bool has_given_up(const Run& run) {
  return std::any_of(run.errors.begin(), run.errors.end(),
                     [](const RunError& error) { return error.kind == ErrorKind::gave_up; });
}

std::string reason_of(const ExecutionResult& result) {
  return result.errors.empty() ? "" : result.errors.front().message;
}

std::string name_of(const ManagedJob& entry) {
  return fmt::format("job '{}'", entry.job.name);
}

}  // namespace

Async<Result<JobStatus>> RunFlow::start_job(ManagedJob& entry, const RunRequest& request) {
  if (registry_.is_storage_full())
    co_return Error{ErrorCode::conflict,
                    fmt::format("job '{}': no run starts while storage is full (`heddle status`): "
                                "raise `limits.storage` or shorten `[retention]`",
                                entry.job.name)};
  if (entry.pending_write) co_return pending_write_error(entry);
  if (entry.job.kind == JobKind::service)
    registry_.timetable().set_handled(entry.number, parts_.clock.now());
  Edit edit = [this, &entry, &request](JobChange& change) {
    JobStatus& status = change.now;
    if (request.from_queue && !entry.is_queued)
      entry.queued_run.reset();  // unless the next run is queued already
    registry_.copy_plans(entry, status);
    status.revision = entry.job.revision;
    if (request.trigger == RunTrigger::dead_letter) return;
    if (request.trigger != RunTrigger::retry) status.attempt = 0;
    entry.retry_at.reset();
  };
  if (!request.by.empty()) edit = lifecycle::attributed(request.by, std::move(edit));
  Steps steps{{.action = JobAction::trigger,
               .run = request.run,
               .why = std::string(to_text(request.trigger))}};
  co_return co_await registry_.status_store().apply(entry.job.id, std::move(steps),
                                                    std::move(edit));
}

Async<Result<ExecutionResult>> RunFlow::run(ManagedJob& entry, RunRequest request,
                                            HeldRunSlot slot) {
  const HeldRunSlot held_slot = std::move(slot);
  auto begun = co_await begin(entry, request);
  if (!begun) co_return std::move(begun).error();
  const bool has_stages = parts_.executor.has_stages(entry.job);
  if (has_stages) {
    auto may_begin = co_await prepare(entry, *begun, request);
    if (!may_begin) co_return std::move(may_begin).error();
    if (!*may_begin) co_return co_await work(entry, std::move(*begun), std::move(request));
  }
  entry.run = begun->id;  // before the step, so that callers who see its result find the run
  const Decide begin = [id = begun->id](const JobStatus& status) -> Result<Steps> {
    if (status.state != JobState::starting) return Steps();  // cancelled or stopped meanwhile
    return Steps{{.action = JobAction::begin, .run = id}};
  };
  const auto status = co_await apply_with_retry(entry, begin);
  if (!status || status->state != JobState::running) entry.run.reset();
  if (!status) co_return status.error();
  if (status->state != JobState::running && !has_stages)
    co_return co_await end_before_work(entry, std::move(*begun));
  co_return co_await work(entry, std::move(*begun), std::move(request));
}

// The job's status names the run from here on, so that it can be cancelled during preparation.
Async<Result<bool>> RunFlow::prepare(ManagedJob& entry, const Run& run, RunRequest& request) {
  const Decide no_step = [](const JobStatus&) { return Steps(); };
  const Edit set_run = [&run](JobChange& change) { change.now.run = run.id; };
  entry.run = run.id;  // before the write, so that callers who see its result find the run
  const auto updated = co_await apply_with_retry(entry, no_step, set_run);
  if (!updated) {
    entry.run.reset();
    co_return updated.error();
  }
  std::function<Async<Result<bool>>()> attempt = [this, &entry, &run, &request] {
    std::function<void()> on_registered = [this, &entry, &run, &request] {
      if (const auto on_begun = std::exchange(request.on_begun, nullptr)) on_begun(run);
      halt_if_requested(entry, run.id);
    };
    return parts_.executor.prepare(entry.job, run, std::move(on_registered));
  };
  auto prepared = co_await store_retry_.retry<bool>(name_of(entry), std::move(attempt));
  entry.run.reset();
  if (!prepared) co_await fail_job(entry, prepared.error());
  co_return prepared;
}

Async<void> RunFlow::run_detached(ManagedJob& entry, RunRequest request, HeldRunSlot slot) {
  const auto finished = co_await run(entry, std::move(request), std::move(slot));
  if (!finished)
    parts_.log.error(fmt::format("job '{}': {}", entry.job.name, finished.error().message),
                     {.job = entry.job.id.text});
}

Async<Result<Run>> RunFlow::begin(ManagedJob& entry, RunRequest& request) {
  entry.is_recovered = false;
  lifecycle::RunLedger ledger(parts_.store, parts_.clock);
  if (request.run) {
    if (request.pages_left && std::cmp_less(*request.pages_left, request.dead_letters.size()))
      request.dead_letters.resize(static_cast<std::size_t>(*request.pages_left));
    auto begun = co_await ledger.begin_dead_letter_run(entry.job, *request.run,
                                                       std::move(request.dead_letters));
    if (begun) co_return begun;
    auto cancelled = co_await cancel_start(entry);
    if (!cancelled) parts_.log.error(cancelled.error().message);
    co_return begun;
  }
  auto begun = co_await ledger.begin(entry.job, request.trigger,
                                     registry_.status_of(entry).attempt + 1, request.pages_left);
  if (!begun) co_await fail_job(entry, begun.error());
  co_return begun;
}

Async<Status> RunFlow::cancel_start(ManagedJob& entry) {
  const Decide cancel = [this, &entry](const JobStatus& status) -> Result<Steps> {
    if (status.state == JobState::stopping) return Steps{{JobAction::finish_stop}};
    if (status.state != JobState::starting) return Steps();
    return registry_.steps_to_scheduled(entry, JobAction::cancel);
  };
  const Edit edit = [](JobChange& change) { change.now.run.reset(); };
  const auto done = co_await apply_with_retry(entry, cancel, edit);
  co_return done ? Status(Done{}) : Status(done.error());
}

// The run was cancelled or stopped before any page began.
Async<Result<ExecutionResult>> RunFlow::end_before_work(ManagedJob& entry, Run run) {
  const bool is_stopped = registry_.status_of(entry).state != JobState::scheduled;
  const RunState state = is_stopped ? RunState::stopped : RunState::cancelled;
  std::function<Async<Result<Run>>()> end = [this, &run, state] {
    return parts_.store.end_run(run.id, state, {}, parts_.clock.now());
  };
  auto ended = co_await store_retry_.retry<Run>(name_of(entry), std::move(end));
  if (!ended) co_return std::move(ended).error();
  ExecutionResult finished;
  finished.run = std::move(*ended);
  auto settled = co_await apply_run_end(entry, finished);
  if (!settled) co_return std::move(settled).error();
  co_return finished;
}

// An action between the step into `running` and this moment has not reached the executor.
void RunFlow::halt_if_requested(const ManagedJob& entry, const RunId& run) {
  const auto halt = [this, &run](Halt how) { parts_.executor.halt(run, how); };
  if (entry.pending_write)
    return halt(entry.pending_write->step.action == JobAction::stop ? Halt::stop : Halt::pause);
  switch (registry_.status_of(entry).state) {
    case JobState::starting:
    case JobState::running:
      return;
    case JobState::paused:
      return halt(Halt::pause);
    case JobState::scheduled:
      return halt(Halt::cancel);
    default:
      return halt(Halt::stop);
  }
}

Async<Result<ExecutionResult>> RunFlow::work(ManagedJob& entry, Run run, RunRequest request) {
  entry.run = run.id;
  const auto version = entry.config_versions;
  auto finished = co_await execute(entry, run, request);
  entry.run.reset();
  if (!finished) {
    co_await fail_job(entry, finished.error());
    co_return std::move(finished).error();
  }
  if (finished->end == ExecutionEnd::interrupted) co_return std::move(*finished);
  auto settled = co_await apply_run_end(entry, *finished);
  if (!settled) co_return std::move(settled).error();
  const bool was_reconfigured =
      finished->end == ExecutionEnd::unreadable && entry.config_versions != version;
  if (was_reconfigured) owner_.recheck(entry);
  if (!finished->is_suspended() || !must_end(entry, finished->run.id))
    co_return std::move(*finished);
  // Cancelled or stopped while it was pausing: the executor ends it.
  request.on_begun = nullptr;
  Run left = std::move(finished->run);
  co_return co_await work(entry, std::move(left), std::move(request));
}

// The run has not ended and will not be resumed.
bool RunFlow::must_end(const ManagedJob& entry, const RunId& run) const {
  const JobStatus& status = registry_.status_of(entry);
  return status.run == run &&
         (status.state == JobState::scheduled || status.state == JobState::stopping);
}

class RunFlow::ServiceObserver final : public RunObserver {
 public:
  ServiceObserver(RunFlow& flow, const ManagedJob& entry, const Run& run)
      : flow_(flow), entry_(entry), run_(run) {}
  void page(const PageReport&) override {}  // a service has none
  void ready() override { flow_.owner_.spawn(flow_.note_ready(entry_, run_)); }

 private:
  RunFlow& flow_;
  const ManagedJob& entry_;
  const Run& run_;
};

Async<void> RunFlow::note_ready(const ManagedJob& entry, Run run) {
  const Decide no_step = [](const JobStatus&) { return Steps(); };
  const Edit edit = [this, &entry, &run](JobChange& change) {
    lifecycle::note_service_ready(entry.job, run, parts_.clock.now(), change);
  };
  const auto noted = co_await apply_with_retry(entry, no_step, edit);
  if (!noted) co_return parts_.log.error(name_of(entry) + ": " + noted.error().message);
  if (parts_.on_messages_due) parts_.on_messages_due();
}

Async<Result<ExecutionResult>> RunFlow::execute(const ManagedJob& entry, const Run& run,
                                                const RunRequest& request) {
  ServiceObserver of_service(*this, entry, run);
  RunObserver* observer = entry.job.kind == JobKind::service ? &of_service : request.observer;
  std::function<Async<Result<ExecutionResult>>()> attempt = [this, &entry, &run, &request,
                                                             observer] {
    std::function<void()> on_registered = [this, &entry, &run, &request] {
      if (request.on_begun) request.on_begun(run);
      halt_if_requested(entry, run.id);
    };
    return parts_.executor.execute(entry.job, run, observer, std::move(on_registered));
  };
  co_return co_await store_retry_.retry<ExecutionResult>(name_of(entry), std::move(attempt));
}

Async<void> RunFlow::resume(ManagedJob& entry, Run run, HeldRunSlot slot) {
  const HeldRunSlot held_slot = std::move(slot);
  RunRequest unobserved;
  auto finished = co_await work(entry, std::move(run), std::move(unobserved));
  if (!finished)
    parts_.log.error(fmt::format("job '{}': {}", entry.job.name, finished.error().message),
                     {.job = entry.job.id.text});
  else if (finished->end != ExecutionEnd::interrupted)
    parts_.log.info(fmt::format("job '{}': run {}", entry.job.name, to_text(finished->run.state)),
                    {.job = entry.job.id.text, .run = finished->run.id.text});
}

Async<Status> RunFlow::end_staged_run(ManagedJob& entry, Run run, std::string why) {
  run.errors.insert(run.errors.begin(), {ErrorKind::interrupted, std::move(why), ""});
  RunRequest request;
  request.on_begun = [this, &entry](const Run& begun) {
    parts_.executor.halt(begun.id, Halt::cancel);
  };
  const auto ended = co_await work(entry, std::move(run), std::move(request));
  co_return ended ? Status(Done{}) : Status(ended.error());
}

Async<Status> RunFlow::apply_run_end(ManagedJob& entry, const ExecutionResult& finished) {
  auto quota = co_await quotas_.quota_of(entry);
  if (!quota) {  // checked again before the next run
    parts_.log.warn(quota.error().message);
    quota = lifecycle::DayQuota{};
  }
  const Decide next = [this, &entry, &finished, &quota](const JobStatus& status) {
    return Result<Steps>(steps_after(entry, status, finished, *quota));
  };
  const Edit edit = [this, &entry, &finished, &quota](JobChange& change) {
    if (finished.is_finished()) record_end(entry, finished, *quota, change);
  };
  const auto settled = co_await apply_with_retry(entry, next, edit);
  if (!settled) co_return settled.error();
  if (quotas_.is_paused_for_quota(entry)) quotas_.wake_at(entry, quota->day.end);
  if (finished.end == ExecutionEnd::unreadable)
    parts_.log.warn(fmt::format("job '{}' is paused until its configuration is fixed: {}",
                                entry.job.name, reason_of(finished)));
  if (finished.is_finished()) co_await report_end(finished);
  if (parts_.on_messages_due) parts_.on_messages_due();
  co_return Done{};
}

// Updates the job's status together with the steps after the run.
void RunFlow::record_end(const ManagedJob& entry, const ExecutionResult& finished,
                         const lifecycle::DayQuota& quota, JobChange& change) {
  JobStatus& status = change.now;
  registry_.copy_plans(entry, status);  // with the ticks skipped meanwhile
  if (status.pause_reason == PauseReason::quota) status.next_run_at = quota.day.end;
  if (status.run == finished.run.id) status.run.reset();
  if (is_dead_letter_run(finished.run)) return;
  status.attempt = entry.retry_at ? status.attempt + 1 : 0;
  if (owner_.has_dependents(finished.run)) status.unpropagated_run = finished.run.id;
  lifecycle::note_run_end(entry.job, finished.run, finished.is_quarantined, change);
}

Steps RunFlow::steps_after(ManagedJob& entry, const JobStatus& status,
                           const ExecutionResult& finished, const lifecycle::DayQuota& quota) {
  if (!is_dead_letter_run(finished.run)) entry.retry_at.reset();
  if (finished.is_suspended()) return pause_steps(entry, status, finished);
  if (status.state == JobState::stopping) return {{JobAction::finish_stop}};
  // Paused: it keeps its run. Scheduled: it was cancelled and is scheduled already.
  if (status.state != JobState::running && status.state != JobState::starting) return {};
  switch (finished.run.state) {
    case RunState::stopped:
      return {{JobAction::stop}, {JobAction::finish_stop}};
    case RunState::cancelled:
      return registry_.steps_to_scheduled(entry, JobAction::cancel);
    default:
      return completion_steps(entry, status, finished, quota);
  }
}

// The run was interrupted: the job was paused, or no worker could read it.
Steps RunFlow::pause_steps(const ManagedJob& entry, const JobStatus& status,
                           const ExecutionResult& finished) {
  if (status.state != JobState::running || finished.end != ExecutionEnd::unreadable) return {};
  registry_.timetable().pause(entry.number);
  return {{.action = JobAction::pause,
           .pause_reason = PauseReason::missing,
           .why = reason_of(finished)}};
}

// The run completed or failed: the next one, if allowed.
Steps RunFlow::completion_steps(ManagedJob& entry, const JobStatus& status,
                                const ExecutionResult& finished, const lifecycle::DayQuota& quota) {
  const bool has_failed = finished.run.state == RunState::failed;
  Steps steps{{has_failed ? JobAction::fail : JobAction::complete}};
  if (finished.is_quarantined && has_failed) {
    steps.push_back({.action = JobAction::pause, .pause_reason = PauseReason::quarantined});
    registry_.timetable().pause(entry.number);
    return steps;
  }
  if (!entry.job.enabled || !entry.is_configured) return steps;
  if (has_failed && !is_dead_letter_run(finished.run)) plan_retry(entry, status, finished.run);
  plan_next(entry, quota, steps);
  if (!quota.used_up) registry_.pause_if_storage_full(entry, steps);
  return steps;
}

// Retries a failed run as a whole, if allowed. A service that was interrupted while it started did
// not fail by itself: it starts again.
void RunFlow::plan_retry(ManagedJob& entry, const JobStatus& status, const Run& failed_run) {
  if (entry.job.kind == JobKind::service && entry.is_recovered && !has_given_up(failed_run)) {
    entry.retry_at = parts_.clock.now();
    return;
  }
  if (status.attempt >= entry.job.retry.runs) return;
  RetryPolicy policy = entry.job.retry;
  policy.max = policy.runs;
  const FailedTry failed{.attempt = status.attempt + 1, .transient = true};
  if (const auto wait = next_try(policy, failed, 0)) entry.retry_at = parts_.clock.now() + *wait;
}

// The next run, or a pause until the next day when the quota is used up.
void RunFlow::plan_next(ManagedJob& entry, const lifecycle::DayQuota& quota, Steps& steps) {
  if (quota.used_up) entry.retry_at.reset();
  steps.push_back({.action = JobAction::reschedule, .next_run_at = registry_.plan(entry)});
  if (quota.used_up)
    steps.push_back({.action = JobAction::pause,
                     .pause_reason = PauseReason::quota,
                     .why = *quota.used_up + " is reached for today"});
}

Async<void> RunFlow::fail_job(ManagedJob& entry, const Error& why) {
  const Decide fail = [this, &entry, &why](const JobStatus& status) -> Result<Steps> {
    if (status.state != JobState::starting && status.state != JobState::running) return Steps();
    Steps steps{{.action = JobAction::fail, .why = why.message}};
    if (!entry.job.enabled || !entry.is_configured) return steps;
    steps.push_back({.action = JobAction::reschedule, .next_run_at = registry_.plan(entry)});
    registry_.pause_if_storage_full(entry, steps);
    return steps;
  };
  const auto updated = co_await apply_with_retry(entry, fail);
  if (!updated)
    parts_.log.error(fmt::format("job '{}': {}", entry.job.name, updated.error().message),
                     {.job = entry.job.id.text});
}

Async<Status> RunFlow::end_inactive_run(JobId job, RunId run, RunState state) {
  ExecutionResult finished;
  const WallTime now = parts_.clock.now();
  if (!run.text.empty()) {
    std::vector<RunError> no_errors;
    auto ended = co_await parts_.store.end_run(run, state, std::move(no_errors), now);
    if (!ended && ended.error().code != ErrorCode::not_found) co_return std::move(ended).error();
    if (ended) finished.run = std::move(*ended);
  }
  const bool ends_now = finished.run.ended_at == now;  // not already before
  Decide decide = [](const JobStatus& status) -> Result<Steps> {
    if (status.state != JobState::stopping) return Steps();
    return Steps{{JobAction::finish_stop}};
  };
  Edit edit = [&run](JobChange& change) {
    if (change.now.run == run) change.now.run.reset();
  };
  const auto done = co_await registry_.status_store().apply_decided(
      std::move(job), std::move(decide), std::move(edit));
  if (!done) co_return done.error();
  if (ends_now) co_await report_end(finished);
  co_return Done{};
}

// A force-stopped run ends a second time when its pages in flight are done.
Async<void> RunFlow::report_end(const ExecutionResult& finished) {
  if (ManagedJob* entry = registry_.find(finished.run.job)) {
    if (entry->last_ended == finished.run.id) co_return;
    entry->last_ended = finished.run.id;
  }
  co_await owner_.on_ended(finished);
}

Async<Result<std::optional<Run>>> RunFlow::find_staged_run(const ManagedJob* entry, RunId run) {
  const bool has_stages = entry != nullptr && parts_.executor.has_stages(entry->job);
  if (!has_stages || run.text.empty()) co_return std::optional<Run>();
  auto found = co_await parts_.store.find_run(std::move(run));
  if (found && *found && (*found)->ended_at) found->reset();
  co_return found;
}

Async<Result<JobStatus>> RunFlow::apply_with_retry(const ManagedJob& entry, Decide decide,
                                                   Edit edit) {
  std::function<Async<Result<JobStatus>>()> attempt = [this, &entry, &decide, &edit] {
    return registry_.status_store().apply_decided(entry.job.id, decide, edit);
  };
  co_return co_await store_retry_.retry<JobStatus>(name_of(entry), std::move(attempt));
}

}  // namespace heddle::hub
