// What a job may do in a day. All of it is worked out from the store, once before and once after
// each run of a job that has such a limit. One event loop; everything it is given outlives it.
#pragma once

#include "base/async.hpp"
#include "base/result.hpp"
#include "hub/job_book.hpp"
#include "hub/run_places.hpp"
#include "lifecycle/quota.hpp"

namespace heddle::hub {

class DayQuotas {
 public:
  DayQuotas(JobBook& book, RunPlaces& places, const DriverParts& parts)
      : book_(book), places_(places), parts_(parts) {}

  Async<Result<lifecycle::DayQuota>> of(const JobEntry& entry);
  // Whether a run may begin. `conflict` when not; then the job is paused until its next day.
  Async<Result<lifecycle::DayQuota>> claim(JobEntry& entry);
  // A job that rests without a plan is left where it is: only its trigger is refused.
  Async<Status> pause_until_next(JobEntry& entry, const lifecycle::DayQuota& quota);

  // Whether the job is paused until its next day, which is then waited for.
  [[nodiscard]] bool holds(const JobEntry& entry) const;
  void wait_for(JobEntry& entry, WallTime day);

 private:
  JobBook& book_;
  RunPlaces& places_;
  const DriverParts& parts_;
};

}  // namespace heddle::hub
