// What a former daemon left behind: runs that had not ended, and jobs in the middle of a step. Each
// goes on from where it was, or ends. One event loop; everything it is given outlives it.
#pragma once

#include <vector>

#include "base/async.hpp"
#include "base/result.hpp"
#include "hub/driver_tools.hpp"

namespace heddle::hub {

class Leftovers {
 public:
  explicit Leftovers(const DriverTools& tools)
      : tools_(tools),
        book_(tools.book),
        places_(tools.places),
        quotas_(tools.quotas),
        course_(tools.course),
        parts_(tools.parts) {}

  // Once the jobs are known.
  Async<Status> take_up();
  // Ends runs of the job that nobody works on any more as failed; how many there were.
  Async<Result<std::size_t>> settle_interrupted(JobId job);

 private:
  Async<Status> take_up_job(const JobId& job, const std::vector<Run>& unfinished);
  Async<Status> settle(JobEntry& entry, const std::vector<Run>& unfinished);
  Async<Status> settle_ended(JobEntry& entry, const JobLife& life);
  Async<Status> mark_paused(RunId run, const std::vector<Run>& unfinished);
  Async<Result<std::size_t>> wind_up_all(JobEntry& entry);
  Async<Status> settle_stray(const Run& run);
  Async<void> wind_up_stray(JobEntry& entry, Run run, RunPlaces::HeldPlace place);
  Async<Status> go_on(JobEntry& entry, const Run& run);
  void take_up_wishes();
  Async<void> start_again(JobEntry& entry, RunPlaces::HeldPlace place);

  const DriverTools tools_;
  JobBook& book_;
  RunPlaces& places_;
  DayQuotas& quotas_;
  RunCourse& course_;
  const DriverParts& parts_;
};

}  // namespace heddle::hub
