#include "hub/driver_tools.hpp"

#include <utility>

#include <boost/asio/co_spawn.hpp>

#include "base/rethrow_bug.hpp"

namespace heddle::hub {

void DriverTools::spawn(Async<void> work) const {
  boost::asio::co_spawn(loop, std::move(work), rethrow_bug);
}

namespace {

// Whoever sees to the job is through with the run then.
Async<void> wind_up_when_idle(DriverTools tools, JobEntry& entry, Run run) {
  while (entry.is_busy() && !tools.places.is_closed()) co_await tools.places.given_back().wait();
  if (tools.places.is_closed()) co_return;  // the next daemon ends it
  co_await tools.course.go_on(entry, std::move(run), tools.places.take(entry));
}

}  // namespace

Async<Status> DriverTools::end_idle_run(JobId job, RunId run, RunState state) const {
  JobEntry* entry = book.find(job);
  auto unfinished = co_await course.find_with_course(entry, run);
  if (!unfinished) co_return std::move(unfinished).error();
  if (!*unfinished) co_return co_await course.end_idle(std::move(job), std::move(run), state);
  spawn(wind_up_when_idle(*this, *entry, std::move(**unfinished)));
  co_return Done{};
}

Async<Status> DriverTools::end_if_unwanted(const JobEntry& entry, RunId run) const {
  const JobLife life = book.life_of(entry);
  if (life.run != run) co_return Done{};
  if (life.state == JobState::scheduled)
    co_return co_await end_idle_run(entry.job.id, std::move(run), RunState::cancelled);
  if (life.state == JobState::stopping)
    co_return co_await end_idle_run(entry.job.id, std::move(run), RunState::stopped);
  co_return Done{};
}

}  // namespace heddle::hub
