// JobScheduler: applies the configuration.
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/run_concurrently.hpp"
#include "hub/jobs/job_scheduler.hpp"
#include "lifecycle/run_ledger.hpp"
#include "lifecycle/status_edits.hpp"

namespace heddle::hub {

using lifecycle::JobAction;
using lifecycle::JobStatusStore;

namespace {

// In parallel, so that the store groups the writes.
constexpr std::size_t kBatchSize = 64;

// `pause_missing` skips these states: nothing starts by itself.
bool is_at_rest(JobState state) {
  using enum JobState;
  return state == created || state == completed || state == paused || is_over(state);
}

// The reason of the pause no longer applies.
bool is_pause_over(const ManagedJob& entry, const JobStatus& status, bool is_storage_full) {
  if (status.state != JobState::paused) return false;
  if (status.pause_reason == PauseReason::missing) return !entry.has_config_errors;
  if (status.pause_reason == PauseReason::storage_full) return !is_storage_full;
  if (status.pause_reason == PauseReason::quarantined) return status.revision != entry.job.revision;
  return false;
}

}  // namespace

Async<Status> JobScheduler::configure_jobs(std::vector<Job> jobs, std::set<JobId> broken) {
  std::set<JobId> wanted;
  for (const Job& job : jobs) wanted.insert(job.id);
  std::vector<JobId> gone;
  for (const auto& [id, status] : registry_.status_store().all())
    if (!wanted.contains(id)) gone.push_back(id);
  for (JobId& id : gone) {
    auto paused = co_await pause_missing(std::move(id));
    if (!paused) co_return paused;
  }
  for (const Job& job : jobs) dependencies_.set(job.id, job.after);

  // Counted first: missed runs are spread only when there are many.
  const WallTime now = parts_.clock.now();
  std::size_t behind = 0;
  registry_.set_spread(std::chrono::milliseconds(0));
  for (const Job& job : jobs) {
    ManagedJob& entry = registry_.add_or_update(job);
    entry.has_config_errors = broken.contains(job.id);
    const JobStatus* status = registry_.status_store().find(job.id);
    const bool is_planned = status != nullptr && status->state == JobState::scheduled;
    if (is_planned && registry_.timetable().plan(entry.number, now, registry_.spread()) &&
        registry_.timetable().is_catch_up(entry.number))
      ++behind;
    registry_.timetable().pause(entry.number);
  }
  registry_.set_spread(
      schedule::spread_for(behind, rules_.runs_in_parallel, rules_.misfire_spread));

  Status worst = Done{};
  std::function<Async<void>(std::size_t)> one = [&](std::size_t index) {
    return configure_one(std::move(jobs[index]), worst);
  };
  co_await run_concurrently(jobs.size(), kBatchSize, std::move(one));
  co_return worst;
}

Async<void> JobScheduler::configure_one(Job job, Status& worst) {
  auto configured = co_await configure_job(std::move(job));
  if (!configured) worst = std::move(configured);
}

Async<Status> JobScheduler::configure_job(Job job) {
  ManagedJob& entry = registry_.add_or_update(std::move(job));
  auto created = co_await registry_.status_store().create(entry.job.id, entry.job.revision);
  if (!created) co_return created;
  co_return co_await sync(entry);
}

Async<Result<std::size_t>> JobScheduler::configure_for_new_run(Job job) {
  const JobId id = job.id;
  ManagedJob& entry = registry_.add_or_update(std::move(job));
  auto created = co_await registry_.status_store().create(id, entry.job.revision);
  if (!created) co_return std::move(created).error();
  std::size_t ended = 0;
  if (status_of(entry).run && lifecycle::resumes_automatically(status_of(entry))) {
    std::string why = lifecycle::kReplacedByLaterRun;
    const auto cancelled = co_await actions_.cancel(id, std::string(), std::move(why));
    if (!cancelled) co_return cancelled.error();
    // Its remaining stages may take a while.
    while (status_of(entry).run) co_await registry_.status_store().changed();
    ++ended;
  }
  auto synced = co_await sync(entry);
  if (!synced) co_return std::move(synced).error();
  auto settled = co_await end_interrupted_runs(tools_, id);
  if (!settled) co_return settled;
  co_return ended + *settled;
}

// Brings the job's status into line with its configuration.
Async<Status> JobScheduler::sync(ManagedJob& entry) {
  if (registry_.status_store().find(entry.job.id) == nullptr)
    co_return Done{};  // deleted meanwhile
  if (quotas_.is_paused_for_quota(entry)) co_return co_await check_quota(entry);
  if (!is_pause_over(entry, status_of(entry), registry_.is_storage_full()))
    co_return co_await apply_configuration(entry);
  if (entry.is_busy()) {
    tools_.spawn(resume_when_idle(entry));
    co_return Done{};
  }
  const auto resumed = co_await actions_.resume(entry);
  co_return resumed ? Status(Done{}) : Status(resumed.error());
}

Async<Status> JobScheduler::apply_configuration(ManagedJob& entry) {
  JobStatusStore::Decide decide = [this, &entry](const JobStatus& now) -> Result<Steps> {
    const bool is_enabled = entry.job.enabled;
    if (now.state == JobState::created && is_enabled)
      return registry_.steps_to_scheduled(entry, JobAction::enable);
    if ((now.state == JobState::completed || now.state == JobState::failed) && is_enabled)
      return registry_.steps_to_scheduled(entry, JobAction::reschedule);
    if (now.state == JobState::scheduled && !is_enabled) {
      registry_.timetable().pause(entry.number);
      return Steps{{JobAction::disable}};
    }
    return Steps();
  };
  JobStatusStore::Edit edit = [this, &entry](JobChange& change) {
    JobStatus& now = change.now;
    if (now.state == JobState::scheduled) now.next_run_at = registry_.plan(entry);
    // Ticks during a run count, too: `overlap` decides about them.
    if (entry.is_busy() && entry.job.enabled) registry_.plan(entry);
    registry_.copy_plans(entry, now);
  };
  const auto synced = co_await registry_.status_store().apply_decided(
      entry.job.id, std::move(decide), std::move(edit));
  co_return synced ? Status(Done{}) : Status(synced.error());
}

// In the background: pages in flight may take long.
Async<void> JobScheduler::resume_when_idle(ManagedJob& entry) {
  while (entry.is_busy() && status_of(entry).state == JobState::paused && !run_slots_.is_closed())
    co_await run_slots_.released().wait();
  if (run_slots_.is_closed() || !entry.is_configured) co_return;
  const auto synced = co_await sync(entry);
  if (!synced) parts_.log.warn(synced.error().message);
}

// Resumed when its files are back or valid again.
Async<Status> JobScheduler::pause_missing(JobId job) {
  ManagedJob* entry = registry_.find(job);
  if (entry != nullptr) {
    entry->is_configured = false;
    registry_.timetable().pause(entry->number);
  }
  if (is_at_rest(registry_.status_of(job).state)) co_return Done{};
  parts_.log.warn(
      fmt::format(
          "job '{}' is missing or has errors (`heddle check`): it is paused until they are fixed",
          job.text),
      {.job = job.text});
  JobStatusStore::Decide decide = [](const JobStatus& status) -> Result<Steps> {
    Steps steps;
    if (is_at_rest(status.state) || status.state == JobState::stopping) return steps;
    if (status.state == JobState::starting) steps.push_back({JobAction::cancel});
    steps.push_back({.action = JobAction::pause, .pause_reason = PauseReason::missing});
    return steps;
  };
  const auto paused =
      co_await registry_.status_store().apply_decided(std::move(job), std::move(decide));
  if (!paused && paused.error().code == ErrorCode::not_found) co_return Done{};  // deleted
  if (!paused) co_return paused.error();
  if (entry != nullptr && entry->run) parts_.executor.halt(*entry->run, Halt::pause);
  co_return Done{};
}

}  // namespace heddle::hub
