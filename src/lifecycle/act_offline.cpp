#include "lifecycle/act_offline.hpp"

#include <utility>

#include "lifecycle/status_edits.hpp"

namespace heddle::lifecycle {

namespace {

using Steps = std::vector<JobStep>;

// A job marked as starting or running is not: its daemon has died.
Result<Steps> steps_for(JobAction action, const JobStatus& status) {
  Steps steps;
  const JobTransition* transition = find_transition(status.state, action, status.run.has_value());
  if (action == JobAction::pause && status.state == JobState::starting && transition == nullptr)
    steps.push_back({JobAction::cancel});
  steps.push_back({action});
  if (action == JobAction::stop && transition != nullptr && transition->to == JobState::stopping)
    steps.push_back({JobAction::finish_stop});
  if (action == JobAction::resume && status.state == JobState::paused && status.run) {
    steps.push_back({JobAction::trigger});
    steps.push_back({.action = JobAction::begin, .run = status.run});
  }
  return steps;
}

std::optional<RunState> end_of_run(JobAction action) {
  if (action == JobAction::cancel) return RunState::cancelled;
  if (action == JobAction::stop || action == JobAction::archive) return RunState::stopped;
  return std::nullopt;
}

// For changes that are not transitions.
Async<Result<JobStatus>> update_offline(OfflineParts parts, JobId job, std::string by,
                                        void (*change_status)(JobChange&, WallTime)) {
  JobStatusStore::Edit edit = [&clock = parts.clock, change_status](JobChange& change) {
    change_status(change, clock.now());
  };
  return parts.statuses.update(std::move(job), attributed(std::move(by), std::move(edit)));
}

// No process of the run is alive: its programs ended with the daemon.
template <class Record>
bool is_left_running(const Record& record) {
  return !record.ended_at.has_value();
}

Async<Status> end_programs(OfflineParts parts, ProgramHistory history) {
  const WallTime now = parts.clock.now();
  for (ProcessRecord& process : history.processes) {
    if (!is_left_running(process)) continue;
    process.state = ProcessState::interrupted;
    process.ended_at = now;
    process.problem = "killed with the daemon";
    auto recorded = co_await parts.journal.record_process(std::move(process));
    if (!recorded) co_return recorded;
  }
  for (HookRecord& hook : history.hooks) {
    if (!is_left_running(hook)) continue;
    hook.state = HookState::interrupted;
    hook.ended_at = now;
    auto recorded = co_await parts.journal.record_hook(std::move(hook));
    if (!recorded) co_return recorded;
  }
  co_return Done{};
}

Async<Status> end_run_now(OfflineParts parts, RunId run, ProgramHistory history, RunState how) {
  const auto& stage = history.stage_record;
  if (stage && stage->outcome) how = stage->outcome->state;  // decided before
  auto programs = co_await end_programs(parts, std::move(history));
  if (!programs) co_return programs;
  std::vector<RunError> no_errors;
  auto ended =
      co_await parts.store.end_run(std::move(run), how, std::move(no_errors), parts.clock.now());
  if (!ended && ended.error().code != ErrorCode::not_found) co_return std::move(ended).error();
  co_return Done{};
}

// The next daemon runs the post_stop hooks of a run with stages.
Async<Status> end_unfinished_run(OfflineParts parts, RunId run, RunState how,
                                 bool has_post_stop_hooks) {
  auto history = co_await parts.journal.program_history(run);
  if (!history) co_return std::move(history).error();
  if (!history->stage_record || !has_post_stop_hooks)
    co_return co_await end_run_now(parts, std::move(run), *std::move(history), how);
  RunStageRecord course = *history->stage_record;
  if (course.stage != RunStage::finishing) {
    course.outcome.emplace().state = how;
    course.outcome->never_started = course.stage == RunStage::preparing;
    course.stage = RunStage::finishing;
    auto recorded = co_await parts.journal.record_stage(run, std::move(course));
    if (!recorded) co_return recorded;
  }
  auto programs = co_await end_programs(parts, *std::move(history));
  if (!programs) co_return programs;
  co_return co_await parts.store.mark_run(std::move(run), RunState::paused);
}

// Applies the action to the job's unfinished run, after the job's step.
Async<Status> update_unfinished_run(OfflineParts parts, RunId run, JobAction action, JobState job,
                                    bool has_post_stop_hooks) {
  if (const auto end = end_of_run(action))
    co_return co_await end_unfinished_run(parts, std::move(run), *end, has_post_stop_hooks);
  if (job == JobState::running)
    co_return co_await parts.store.mark_run(std::move(run), RunState::in_progress);
  if (job == JobState::paused)
    co_return co_await parts.store.mark_run(std::move(run), RunState::paused);
  co_return Done{};
}

}  // namespace

bool ends_run(JobAction action) {
  return end_of_run(action).has_value();
}

Async<Result<JobStatus>> act_offline(OfflineParts parts, JobId job, ActionRequest request,
                                     bool has_post_stop_hooks) {
  const JobAction action = request.action;
  const JobStatus* before = parts.statuses.find(job);
  if (before == nullptr)
    co_return Error{ErrorCode::not_found, "there is no job '" + job.text + "'"};
  if (action == JobAction::pause && resumes_automatically(*before))
    co_return co_await update_offline(parts, std::move(job), std::move(request.by),
                                      convert_to_user_pause);
  if (action == JobAction::cancel && before->queued_run && !is_allowed(*before, action))
    co_return co_await update_offline(parts, std::move(job), std::move(request.by),
                                      withdraw_queued_run);
  const std::optional<RunId> run = before->run;
  JobStatusStore::Decide decide = [action](const JobStatus& status) {
    return steps_for(action, status);
  };
  JobStatusStore::Edit edit = [action](JobChange& change) {
    if (end_of_run(action)) change.now.run.reset();
  };
  auto status = co_await parts.statuses.apply_decided(
      std::move(job), std::move(decide), attributed(std::move(request.by), std::move(edit)));
  if (!status || !run) co_return status;
  // After the step: if power fails in between, the next daemon ends the run the same way.
  auto updated =
      co_await update_unfinished_run(parts, *run, action, status->state, has_post_stop_hooks);
  if (!updated) co_return std::move(updated).error();
  co_return status;
}

}  // namespace heddle::lifecycle
