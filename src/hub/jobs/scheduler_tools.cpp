#include "hub/jobs/scheduler_tools.hpp"

#include <utility>

#include <boost/asio/co_spawn.hpp>

#include "base/rethrow_bug.hpp"

namespace heddle::hub {

void SchedulerTools::spawn(Async<void> work) const {
  boost::asio::co_spawn(loop, std::move(work), rethrow_bug);
}

namespace {

// Waits for the current holder of the job, which still uses the run.
Async<void> finish_when_idle(SchedulerTools tools, ManagedJob& entry, Run run) {
  while (entry.is_busy() && !tools.run_slots.is_closed())
    co_await tools.run_slots.released().wait();
  if (tools.run_slots.is_closed()) co_return;  // the next daemon ends it
  co_await tools.flow.resume(entry, std::move(run), tools.run_slots.acquire(entry));
}

}  // namespace

Async<Status> SchedulerTools::end_inactive_run(JobId job, RunId run, RunState state) const {
  ManagedJob* entry = registry.find(job);
  auto unfinished = co_await flow.find_staged_run(entry, run);
  if (!unfinished) co_return std::move(unfinished).error();
  if (!*unfinished) co_return co_await flow.end_inactive_run(std::move(job), std::move(run), state);
  spawn(finish_when_idle(*this, *entry, std::move(**unfinished)));
  co_return Done{};
}

Async<Status> SchedulerTools::end_if_not_wanted(const ManagedJob& entry, RunId run) const {
  const JobStatus status = registry.status_of(entry);
  if (status.run != run) co_return Done{};
  if (status.state == JobState::scheduled)
    co_return co_await end_inactive_run(entry.job.id, std::move(run), RunState::cancelled);
  if (status.state == JobState::stopping)
    co_return co_await end_inactive_run(entry.job.id, std::move(run), RunState::stopped);
  co_return Done{};
}

}  // namespace heddle::hub
