#include "lifecycle/job_status_store.hpp"

#include "base/scope_exit.hpp"
#include "lifecycle/status_edits.hpp"

namespace heddle::lifecycle {

namespace {

// A cancelled run is named until it has ended; a pause in the meantime has no run to resume.
bool has_ended_run(const JobTransition& transition) {
  using enum JobState;
  if (transition.from == scheduled && transition.to == paused) return true;
  return transition.to == completed || transition.to == failed || transition.to == stopped ||
         transition.to == archived;
}

// Whether users ask for such a step too, and no one is recorded who did.
bool is_unattributed_action(const JobEvent& event) {
  bool is_user_step = false;
  for (const auto& [name, value] : event.data) {
    if (name == "by") return false;
    const auto action = name == "action" ? job_action_from(value) : std::nullopt;
    is_user_step = is_user_step || (action && is_user_action(*action));
  }
  return is_user_step;
}

JobEvent event_of(const JobStatus& before, const JobStatus& after, const JobStep& step) {
  JobEvent event;
  event.kind = "job." + std::string(to_text(after.state));
  event.at = after.since;
  event.run = step.run ? step.run : before.run;
  event.data = {{"from", std::string(to_text(before.state))},
                {"action", std::string(to_text(step.action))}};
  if (after.pause_reason) event.data.emplace_back("reason", to_text(*after.pause_reason));
  if (!step.why.empty()) event.data.emplace_back("why", step.why);
  return event;
}

}  // namespace

std::optional<JobStatus> after_step(JobStatus status, const JobStep& step, WallTime now) {
  const JobTransition* transition =
      find_transition(status.state, step.action, status.run.has_value());
  if (transition == nullptr) return std::nullopt;
  status.state = transition->to;
  status.since = now;
  status.pause_reason.reset();
  status.next_run_at.reset();
  if (transition->to == JobState::paused)
    status.pause_reason = step.pause_reason.value_or(PauseReason::user);
  if (transition->to == JobState::scheduled) status.next_run_at = step.next_run_at;
  if (step.run) status.run = step.run;
  if (has_ended_run(*transition)) status.run.reset();
  if (transition->to == JobState::created) {  // restarted or disabled: it becomes due again
    status.handled_until.reset();
    status.attempt = 0;
  }
  if (status.queued_run && !can_queue(status, *status.queued_run)) status.queued_run.reset();
  return status;
}

JobStatusStore::Edit attributed(std::string by, JobStatusStore::Edit edit) {
  return [by = std::move(by), edit = std::move(edit)](JobChange& change) {
    if (edit) edit(change);
    for (JobEvent& event : change.events) event.data.emplace_back("by", by);
  };
}

auto JobStatusStore::begin_change(const JobId& job) {
  busy_.insert(job);
  return ScopeExit([this, job] {
    busy_.erase(job);
    change_done_.notify();
  });
}

Async<Status> JobStatusStore::load() {
  auto statuses = co_await store_.job_statuses();
  if (!statuses) co_return std::move(statuses).error();
  statuses_.clear();
  for (const JobStatus& status : *statuses) statuses_.emplace(status.job, status);
  co_return Done{};
}

const JobStatus* JobStatusStore::find(const JobId& job) const {
  const auto found = statuses_.find(job);
  return found == statuses_.end() ? nullptr : &found->second;
}

Async<Status> JobStatusStore::create(JobId job, std::string revision) {
  while (busy_.contains(job)) co_await change_done_.wait();
  if (statuses_.contains(job)) co_return Done{};
  const auto guard = begin_change(job);
  JobChange change;
  change.now.job = std::move(job);
  change.now.since = clock_.now();
  change.now.revision = std::move(revision);
  change.events.push_back({.kind = "job.created", .at = change.now.since});
  co_return co_await write(std::move(change));
}

Async<Result<JobStatus>> JobStatusStore::apply(JobId job, std::vector<JobStep> steps, Edit edit) {
  Decide always = [steps = std::move(steps)](const JobStatus&) -> Result<std::vector<JobStep>> {
    return steps;
  };
  return apply_decided(std::move(job), std::move(always), std::move(edit));
}

Async<Result<JobStatus>> JobStatusStore::apply_decided(JobId job, Decide decide, Edit edit) {
  while (busy_.contains(job)) co_await change_done_.wait();
  const JobStatus* found = find(job);
  if (found == nullptr) co_return Error{ErrorCode::not_found, "there is no job " + job.text};
  const auto guard = begin_change(job);
  auto steps = decide(*found);
  if (!steps) co_return std::move(steps).error();
  JobChange change;
  change.from = found->state;
  change.now = *found;
  for (const JobStep& step : *steps) {
    auto next = after_step(change.now, step, clock_.now());
    if (!next) co_return Error{ErrorCode::conflict, refusal(job.text, change.now, step.action)};
    change.events.push_back(event_of(change.now, *next, step));
    change.now = std::move(*next);
  }
  if (edit) edit(change);
  JobStatus now = change.now;
  if (now == *found && change.events.empty()) co_return now;
  auto written = co_await write(std::move(change));
  if (!written) co_return std::move(written).error();
  co_return now;
}

Async<Status> JobStatusStore::remove(JobId job) {
  while (busy_.contains(job)) co_await change_done_.wait();
  const JobStatus* found = find(job);
  if (found == nullptr) co_return Error{ErrorCode::not_found, "there is no job '" + job.text + "'"};
  if (!may_be_deleted(*found))
    co_return Error{ErrorCode::conflict, refusal(job.text, *found, kDeleteAction)};
  const auto guard = begin_change(job);
  auto begun = co_await store_.begin_deletion(job, clock_.now());
  if (begun) statuses_.erase(job);
  co_return begun;
}

Async<Status> JobStatusStore::write(JobChange change) {
  for (JobEvent& event : change.events)
    if (is_unattributed_action(event)) event.data.emplace_back("by", "daemon");
  const JobStatus now = change.now;
  auto written = co_await store_.change_job(std::move(change));
  if (!written) co_return written;
  statuses_.insert_or_assign(now.job, now);
  co_return Done{};
}

}  // namespace heddle::lifecycle
