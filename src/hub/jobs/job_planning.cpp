// JobScheduler: decides when jobs start.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "hub/jobs/job_scheduler.hpp"
#include "lifecycle/status_edits.hpp"

namespace heddle::hub {

using lifecycle::JobAction;
using schedule::RunsNow;
using schedule::TickAction;

namespace {

// Also the time within which a changed clock is noticed.
constexpr std::chrono::seconds kMaxSleep{30};
// For a job paused for its quota when the store could not be read.
constexpr std::chrono::minutes kQuotaRetryInterval{1};

}  // namespace

// The wall clock was set: all planned times are outdated, and waits move with the clock.
void JobScheduler::replan_all(std::chrono::milliseconds jump) {
  for (const auto& [id, entry] : registry_.all()) {
    if (entry->retry_at) *entry->retry_at += jump;
    if (entry->queued_run) entry->queued_run->since += jump;
    if (!registry_.timetable().due_of(entry->number)) continue;
    if (quotas_.is_paused_for_quota(*entry)) {
      tools_.spawn(recheck_quota(*entry));
      continue;
    }
    registry_.plan(*entry);
    if (!entry->is_busy()) tools_.spawn(save_next_run(id));
  }
}

Async<void> JobScheduler::save_next_run(JobId job) {
  const ManagedJob* entry = registry_.find(job);
  const auto due = registry_.timetable().due_of(entry->number);
  lifecycle::JobStatusStore::Edit edit = [due](JobChange& change) {
    if (change.now.state == JobState::scheduled) change.now.next_run_at = due;
  };
  const auto done = co_await registry_.status_store().update(std::move(job), std::move(edit));
  if (!done) parts_.log.warn(done.error().message);
}

Async<void> JobScheduler::run_schedule() {
  using std::chrono::steady_clock;
  while (!is_shutting_down_) {
    const WallTime now = parts_.clock.now();
    if (const auto jump = clock_watch_.observe(now, parts_.clock.steady_now())) {
      parts_.log.info(fmt::format("the system clock changed by {} s: due times were computed again",
                                  std::chrono::duration_cast<std::chrono::seconds>(*jump).count()));
      replan_all(*jump);
    }
    while (const auto due = registry_.timetable().take_due(now)) on_due(registry_.at(*due), now);
    auto sleep = std::chrono::duration_cast<std::chrono::milliseconds>(kMaxSleep);
    if (const auto next = registry_.timetable().next_due()) sleep = std::min(sleep, *next - now);
    co_await registry_.plan_changed().wait(steady_clock::now() +
                                           std::max(sleep, std::chrono::milliseconds(0)));
  }
}

void JobScheduler::on_due(ManagedJob& entry, WallTime now) {
  if (quotas_.is_paused_for_quota(entry)) return tools_.spawn(recheck_quota(entry));
  const bool is_retry = entry.retry_at && *entry.retry_at <= now;
  entry.retry_at.reset();
  request_run(entry, is_retry ? RunTrigger::retry : RunTrigger::time,
              registry_.timetable().taken_due());
  // The next tick may come before this run has ended: then `overlap` decides.
  registry_.timetable().plan(entry.number, now, registry_.spread());
}

TickAction JobScheduler::tick_action(const ManagedJob& entry, RunTrigger trigger) const {
  RunsNow runs = entry.is_queued ? RunsNow::waiting : RunsNow::none;
  if (entry.is_busy()) runs = entry.is_queued ? RunsNow::running_and_waiting : RunsNow::running;
  // The failed run may still be ending: its retry waits for it.
  const OverlapPolicy policy =
      trigger == RunTrigger::retry ? OverlapPolicy::queue : entry.job.overlap;
  return schedule::action_for(policy, runs);
}

void JobScheduler::request_run(ManagedJob& entry, RunTrigger trigger, WallTime since) {
  switch (tick_action(entry, trigger)) {
    case TickAction::start:
      return enqueue_run(entry, trigger, since);
    case TickAction::skip:
      return parts_.log.info(
          fmt::format("job '{}' is due, but its previous run has not ended: skipped",
                      entry.job.name),
          {.job = entry.job.id.text});
    case TickAction::cancel_then_start:
      tools_.spawn(cancel_for_replacement(entry.job.id));
      [[fallthrough]];
    case TickAction::queue:
      return enqueue_run(entry, trigger, since);
  }
}

void JobScheduler::enqueue_run(ManagedJob& entry, RunTrigger trigger, WallTime since) {
  run_slots_.enqueue(entry, trigger, since);
  if (entry.is_queued) tools_.spawn(save_queued_run(entry));
}

// A queued run survives the daemon, together with the tick it handles.
Async<void> JobScheduler::save_queued_run(ManagedJob& entry) {
  lifecycle::JobStatusStore::Edit edit = [this, &entry](JobChange& change) {
    if (!entry.is_queued || !lifecycle::can_queue(change.now, *entry.queued_run)) return;
    lifecycle::record_queued_run(change, *entry.queued_run, parts_.clock.now());
    registry_.copy_plans(entry, change.now);
  };
  const auto updated = co_await registry_.status_store().update(entry.job.id, std::move(edit));
  if (!updated) parts_.log.warn(updated.error().message);
}

// `overlap = "replace"`: the next run is due.
Async<void> JobScheduler::cancel_for_replacement(JobId job) {
  std::string why = "the next run replaces it (overlap = \"replace\")";
  const auto cancelled =
      co_await actions_.cancel(std::move(job), JobActions::kDaemon, std::move(why));
  if (!cancelled) parts_.log.info(cancelled.error().message);
}

// Resumes a job paused for its quota on a new day or with a higher limit.
Async<Status> JobScheduler::check_quota(ManagedJob& entry) {
  const auto quota = co_await quotas_.quota_of(entry);
  if (!quota) {
    quotas_.wake_at(entry, parts_.clock.now() + kQuotaRetryInterval);
    co_return quota.error();
  }
  if (!quotas_.is_paused_for_quota(entry) || !entry.is_configured) co_return Done{};
  if (quota->used_up) co_return co_await quotas_.pause_until_next(entry, *quota);
  const auto resumed = co_await actions_.resume(entry);
  co_return resumed ? Status(Done{}) : Status(resumed.error());
}

Async<void> JobScheduler::recheck_quota(ManagedJob& entry) {
  const auto checked = co_await check_quota(entry);
  if (!checked) parts_.log.warn(checked.error().message);
}

}  // namespace heddle::hub
