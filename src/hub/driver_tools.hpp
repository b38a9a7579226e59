// What those share who see to the lives of jobs. One event loop; all of it outlives them.
#pragma once

#include <boost/asio/any_io_executor.hpp>

#include "base/async.hpp"
#include "hub/day_quotas.hpp"
#include "hub/job_book.hpp"
#include "hub/run_course.hpp"
#include "hub/run_places.hpp"

namespace heddle::hub {

struct DriverTools {
  boost::asio::any_io_executor loop;
  JobBook& book;
  RunPlaces& places;
  DayQuotas& quotas;
  RunCourse& course;
  StorePatience& patience;
  const DriverParts& parts;

  // For work that nobody waits for.
  void spawn(Async<void> work) const;

  // Ends a run that nobody works on. When more belongs to its end, that goes on afterwards.
  Async<Status> end_idle_run(JobId job, RunId run, RunState state) const;
  // The same for a run that was not gone on with, because its job was cancelled or stopped then.
  Async<Status> end_if_unwanted(const JobEntry& entry, RunId run) const;
};

}  // namespace heddle::hub
