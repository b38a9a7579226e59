// JobScheduler: full storage, archiving and deletion.
#include <utility>

#include <fmt/format.h>

#include "base/run_concurrently.hpp"
#include "hub/jobs/job_scheduler.hpp"

namespace heddle::hub {

using lifecycle::JobAction;
using lifecycle::JobStatusStore;

namespace {

// In parallel, so that the store groups the writes.
constexpr std::size_t kResumeBatchSize = 64;
// Less than the timeout of a control request.
constexpr std::chrono::seconds kIdleTimeout{5};

}  // namespace

// A force-stopped run may still have pages in flight.
Async<Status> JobScheduler::wait_until_idle(ManagedJob& entry) {
  const Deadline deadline = std::chrono::steady_clock::now() + kIdleTimeout;
  while (entry.is_busy() && lifecycle::may_be_deleted(status_of(entry)) &&
         std::chrono::steady_clock::now() < deadline)
    co_await run_slots_.released().wait(deadline);
  if (!entry.is_busy()) co_return Done{};
  if (!lifecycle::may_be_deleted(status_of(entry)))
    co_return Error{ErrorCode::conflict,
                    lifecycle::refusal(entry.job.name, status_of(entry), lifecycle::kDeleteAction)};
  co_return Error{ErrorCode::conflict,
                  fmt::format("job '{}': some pages of its last run are still being processed: try "
                              "again in a moment; if that lasts, see `heddle workers`",
                              entry.job.name)};
}

Async<Status> JobScheduler::remove(JobId job) {
  ManagedJob* entry = registry_.find(job);
  if (entry != nullptr) {
    auto idle = co_await wait_until_idle(*entry);
    if (!idle) co_return idle;
  }
  // So that nothing begins between the store's answer and the removal here.
  RunSlots::HeldRunSlot held_slot;
  if (entry != nullptr) held_slot = run_slots_.acquire(*entry);
  auto removed = co_await registry_.status_store().remove(job);
  if (!removed || entry == nullptr) co_return removed;
  entry->is_configured = false;
  entry->retry_at.reset();
  registry_.timetable().pause(entry->number);
  registry_.timetable().set_handled(entry->number, std::nullopt);
  run_slots_.remove_from_queue(*entry);
  parts_.clear_crashes(job);
  co_return Done{};
}

Async<Status> JobScheduler::hold_new_runs(bool is_storage_full) {
  registry_.set_storage_full(is_storage_full);
  std::vector<JobId> jobs;
  for (const auto& [id, status] : registry_.status_store().all()) {
    const bool is_held = status.pause_reason == PauseReason::storage_full;
    if (is_storage_full ? status.state == JobState::scheduled : is_held) jobs.push_back(id);
  }
  std::function<Async<void>(std::size_t)> one = [&](std::size_t index) {
    return is_storage_full ? hold(std::move(jobs[index])) : release(std::move(jobs[index]));
  };
  co_await run_concurrently(jobs.size(), kResumeBatchSize, std::move(one));
  co_return Done{};
}

Async<void> JobScheduler::hold(JobId job) {
  ManagedJob* entry = registry_.find(job);
  JobStatusStore::Decide decide = [this](const JobStatus& status) -> Result<Steps> {
    // A cancelled run that has not ended is still ending.
    if (status.state != JobState::scheduled || status.run || !registry_.is_storage_full())
      return Steps();
    return Steps{{.action = JobAction::pause, .pause_reason = PauseReason::storage_full}};
  };
  const auto held = co_await registry_.status_store().apply_decided(job, std::move(decide));
  if (!held) co_return parts_.log.error(held.error().message);
  if (entry == nullptr || held->pause_reason != PauseReason::storage_full) co_return;
  registry_.timetable().pause(entry->number);
  run_slots_.remove_from_queue(*entry);
}

Async<void> JobScheduler::release(JobId job) {
  ManagedJob* entry = registry_.find(job);
  if (entry == nullptr || !entry->is_configured || registry_.is_storage_full()) co_return;
  if (status_of(*entry).pause_reason != PauseReason::storage_full) co_return;
  const auto released = co_await actions_.resume(*entry);
  if (!released) parts_.log.error(released.error().message);
}

Async<std::size_t> JobScheduler::archive_idle(std::chrono::milliseconds idle) {
  const WallTime before = parts_.clock.now() - idle;
  std::vector<JobId> jobs;
  for (const auto& [id, status] : registry_.status_store().all())
    if ((status.state == JobState::stopped || status.state == JobState::failed) &&
        status.since < before)
      jobs.push_back(id);
  std::size_t archived = 0;
  for (const JobId& job : jobs) {
    const JobStatus* status = registry_.status_store().find(job);
    if (status == nullptr || status->since >= before) continue;  // changed meanwhile
    const auto done = co_await actions_.archive(job, "archive_after");
    if (done)
      ++archived;
    else
      parts_.log.warn(done.error().message);
  }
  co_return archived;
}

}  // namespace heddle::hub
