// What the classes that change jobs share. Single event loop; everything in it outlives them.
#pragma once

#include <boost/asio/any_io_executor.hpp>

#include "base/async.hpp"
#include "hub/jobs/day_quotas.hpp"
#include "hub/jobs/job_registry.hpp"
#include "hub/runs/run_flow.hpp"
#include "hub/runs/run_slots.hpp"

namespace heddle::hub {

struct SchedulerTools {
  boost::asio::any_io_executor loop;
  JobRegistry& registry;
  RunSlots& run_slots;
  DayQuotas& quotas;
  RunFlow& flow;
  StoreRetry& store_retry;
  const SchedulerParts& parts;

  // Starts work whose result is not awaited.
  void spawn(Async<void> work) const;

  // Ends a run that is not executing. Its remaining stages, such as post_stop hooks, run
  // afterwards.
  Async<Status> end_inactive_run(JobId job, RunId run, RunState state) const;
  // Ends a run that could not be resumed because its job was cancelled or stopped.
  Async<Status> end_if_not_wanted(const ManagedJob& entry, RunId run) const;
};

}  // namespace heddle::hub
