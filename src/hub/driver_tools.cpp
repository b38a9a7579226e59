#include "hub/driver_tools.hpp"

#include <utility>

#include <boost/asio/co_spawn.hpp>

#include "base/rethrow_bug.hpp"

namespace heddle::hub {

void DriverTools::spawn(Async<void> work) const {
  boost::asio::co_spawn(loop, std::move(work), rethrow_bug);
}

Async<Status> DriverTools::end_idle_run(JobId job, RunId run, RunState state) const {
  JobEntry* entry = book.find(job);
  auto unfinished = co_await course.find_with_course(entry, run);
  if (!unfinished) co_return std::move(unfinished).error();
  if (!*unfinished) co_return co_await course.end_idle(std::move(job), std::move(run), state);
  spawn(course.go_on(*entry, std::move(**unfinished), places.take(*entry)));
  co_return Done{};
}

}  // namespace heddle::hub
