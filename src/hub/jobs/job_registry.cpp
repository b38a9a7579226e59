#include "hub/jobs/job_registry.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "lifecycle/status_edits.hpp"

namespace heddle::hub {

using lifecycle::JobAction;

Error pending_write_error(const ManagedJob& entry) {
  return {ErrorCode::unavailable,
          fmt::format("job '{}': `{}` is in effect but not stored yet, because the disk is full; "
                      "try again when there is space",
                      entry.job.name, lifecycle::to_text(entry.pending_write->step.action))};
}

namespace {

// A wait that begins in the future restarts: the clock was set back while no daemon ran.
std::optional<WallTime> retry_time(const JobStatus& status, WallTime now) {
  if (!status.next_run_at || status.since <= now) return status.next_run_at;
  return now + std::max(*status.next_run_at - status.since, std::chrono::milliseconds(0));
}

}  // namespace

ManagedJob& JobRegistry::add_or_update(Job job) {
  auto& entry = entries_[job.id];
  const bool is_new = entry == nullptr;
  if (is_new) {
    entry = std::make_unique<ManagedJob>();
    entry->number = static_cast<JobNumber>(by_number_.size());
    by_number_.push_back(entry.get());
  }
  entry->job = std::move(job);
  entry->is_configured = true;
  ++entry->config_versions;
  if (auto set = timetable_.set(entry->number, entry->job); !set)
    parts_.log.error(set.error().message);
  const JobStatus* status = status_store_.find(entry->job.id);
  if (is_new && status != nullptr) {
    timetable_.set_handled(entry->number, status->handled_until);
    entry->queued_run = status->queued_run;
    if (status->attempt > 0) entry->retry_at = retry_time(*status, parts_.clock.now());
  }
  return *entry;
}

ManagedJob* JobRegistry::find(const JobId& job) const {
  const auto found = entries_.find(job);
  return found == entries_.end() ? nullptr : found->second.get();
}

const JobStatus& JobRegistry::status_of(const JobId& job) const {
  static const JobStatus deleted = [] {
    JobStatus status;
    status.state = JobState::archived;
    return status;
  }();
  const JobStatus* status = status_store_.find(job);
  return status == nullptr ? deleted : *status;
}

std::optional<WallTime> JobRegistry::plan(ManagedJob& entry) {
  const WallTime now = parts_.clock.now();
  auto other = entry.retry_at;
  // A service starts once, when its job is new.
  const bool is_new = !timetable_.handled_until(entry.number) && !entry.is_busy();
  if (entry.job.kind == JobKind::service && is_new) other = now;
  const auto due = timetable_.plan(entry.number, now, spread_, other);
  // Ticks of a new job count from now on.
  if (!timetable_.handled_until(entry.number) && (!due || *due > now))
    timetable_.set_handled(entry.number, now);
  plan_changed_.notify();
  return due;
}

void JobRegistry::copy_plans(const ManagedJob& entry, JobStatus& status) const {
  status.handled_until = timetable_.handled_until(entry.number);
  status.queued_run = entry.queued_run;
  if (status.queued_run && !lifecycle::can_queue(status, *status.queued_run))
    status.queued_run.reset();
}

Steps JobRegistry::steps_to_scheduled(ManagedJob& entry, JobAction action) {
  Steps steps{{action}};
  const bool is_first_start = action == JobAction::enable && entry.job.kind == JobKind::service;
  if (is_first_start) timetable_.set_handled(entry.number, std::nullopt);
  if (entry.job.enabled && entry.is_configured) {
    steps.back().next_run_at = plan(entry);
    pause_if_storage_full(entry, steps);
    return steps;
  }
  timetable_.pause(entry.number);
  if (action != JobAction::enable) steps.push_back({JobAction::disable});
  return steps;
}

void JobRegistry::pause_if_storage_full(ManagedJob& entry, Steps& steps) {
  if (!is_storage_full_) return;
  timetable_.pause(entry.number);
  steps.push_back({.action = JobAction::pause, .pause_reason = PauseReason::storage_full});
}

Error trigger_error(const ManagedJob& entry, const JobStatus& status) {
  const std::string& name = entry.job.name;
  const std::string& id = entry.job.id.text;
  if (!is_allowed(status, JobAction::trigger))
    return {ErrorCode::conflict, lifecycle::refusal(name, status, JobAction::trigger)};
  if (!status.run)  // it was force-stopped
    return {ErrorCode::conflict,
            fmt::format("job '{}' is {}, but some pages of its last run are still being processed: "
                        "try again in a moment; if that lasts, see `heddle workers`",
                        name, to_text(status.state))};
  return {
      ErrorCode::conflict,
      fmt::format("job '{}' is {}, but its last run has not ended yet (`heddle show {}`): run "
                  "`heddle trigger {}` when it has ended, or end it with `heddle stop --now {}`",
                  name, to_text(status.state), id, id, id)};
}

}  // namespace heddle::hub
