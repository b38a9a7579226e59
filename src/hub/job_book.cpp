#include "hub/job_book.hpp"

#include <utility>

#include <fmt/format.h>

#include "lifecycle/waiting_run.hpp"

namespace heddle::hub {

using lifecycle::JobAction;
using lifecycle::JobStep;

Error not_written(const JobEntry& entry) {
  return {ErrorCode::unavailable,
          fmt::format("job '{}': its `{}` holds, but could not be written yet; when there is room "
                      "on the disk again, more can be asked for",
                      entry.job.name, lifecycle::to_text(entry.unwritten->step.action))};
}

JobBook::JobBook(const DriverParts& parts)
    : parts_(parts), keeper_(parts.store, parts.clock), timetable_(parts.zone_database) {}

JobEntry& JobBook::put(Job job) {
  auto& entry = entries_[job.id];
  const bool is_new = entry == nullptr;
  if (is_new) {
    entry = std::make_unique<JobEntry>();
    entry->number = static_cast<JobNumber>(by_number_.size());
    by_number_.push_back(entry.get());
  }
  entry->job = std::move(job);
  entry->is_there = true;
  ++entry->versions;
  if (auto set = timetable_.set(entry->number, entry->job); !set)
    parts_.log.error(set.error().message);
  const JobLife* life = keeper_.find(entry->job.id);
  if (is_new && life != nullptr) {
    timetable_.set_handled(entry->number, life->handled_until);
    entry->wish = life->waiting;
    if (life->attempt > 0) entry->retry_at = life->next_run_at;
  }
  return *entry;
}

JobEntry* JobBook::find(const JobId& job) const {
  const auto found = entries_.find(job);
  return found == entries_.end() ? nullptr : found->second.get();
}

const JobLife& JobBook::life_of(const JobId& job) const {
  static const JobLife gone = [] {
    JobLife life;
    life.state = JobState::archived;
    return life;
  }();
  const JobLife* life = keeper_.find(job);
  return life == nullptr ? gone : *life;
}

std::optional<WallTime> JobBook::plan(JobEntry& entry) {
  const WallTime now = parts_.clock.now();
  auto other = entry.retry_at;
  // A service starts with its job, once; from there on its run goes on.
  const bool is_new = !timetable_.handled_until(entry.number) && !entry.is_busy();
  if (entry.job.kind == JobKind::service && is_new) other = now;
  const auto due = timetable_.plan(entry.number, now, spread_, other);
  // A new job that does not start at once owes its ticks from now on.
  if (!timetable_.handled_until(entry.number) && (!due || *due > now))
    timetable_.set_handled(entry.number, now);
  planned_.ring();
  return due;
}

void JobBook::keep_plans(const JobEntry& entry, JobLife& life) const {
  life.handled_until = timetable_.handled_until(entry.number);
  life.waiting = entry.wish;
  if (life.waiting && !lifecycle::may_wait(life, *life.waiting)) life.waiting.reset();
}

Steps JobBook::steps_into_schedule(JobEntry& entry, JobAction action) {
  Steps steps(1, JobStep{action});
  const bool starts_anew = action == JobAction::enable && entry.job.kind == JobKind::service;
  if (starts_anew) timetable_.set_handled(entry.number, std::nullopt);
  if (entry.job.enabled && entry.is_there) {
    steps.back().next_run_at = plan(entry);
  } else {
    timetable_.pause(entry.number);
    if (action != JobAction::enable) steps.push_back(JobStep{JobAction::disable});
    return steps;
  }
  pause_if_full(entry, steps);
  return steps;
}

void JobBook::pause_if_full(JobEntry& entry, Steps& steps) {
  if (!is_storage_full_) return;
  timetable_.pause(entry.number);
  steps.push_back(JobStep{JobAction::pause});
  steps.back().pause_reason = PauseReason::storage_full;
}

Error no_trigger(const JobEntry& entry, const JobLife& life) {
  if (lifecycle::find_row(life.state, JobAction::trigger, life.run.has_value()) == nullptr)
    return Error{ErrorCode::conflict, lifecycle::refusal(entry.job.name, life, JobAction::trigger)};
  if (!life.run)  // it was ended by force
    return Error{
        ErrorCode::conflict,
        fmt::format("job '{}' is {}, but what its last run had begun is not through yet (a "
                    "worker hangs, perhaps): try again in a moment",
                    entry.job.name, to_text(life.state))};
  return Error{ErrorCode::conflict,
               fmt::format("job '{}' is {}, but its last run has not ended yet (`heddle show {}`): "
                           "`trigger` is possible after that; `stop --now` ends it at once",
                           entry.job.name, to_text(life.state), entry.job.name)};
}

}  // namespace heddle::hub
