// What people ask of a job, and the daemon on their behalf: carried out when the table of lifecycle
// allows it. One event loop; everything it is given outlives it.
#pragma once

#include <chrono>
#include <string>

#include "base/async.hpp"
#include "base/result.hpp"
#include "hub/driver_tools.hpp"
#include "hub/unwritten_actions.hpp"

namespace heddle::hub {

class JobActions {
 public:
  JobActions(const JobActions&) = delete;
  JobActions& operator=(const JobActions&) = delete;
  explicit JobActions(const DriverTools& tools)
      : tools_(tools),
        book_(tools.book),
        places_(tools.places),
        quotas_(tools.quotas),
        course_(tools.course),
        parts_(tools.parts),
        unwritten_(
            tools, [this](JobEntry& entry, Halt how) { rest(entry, how); },
            [this](JobLife life, bool at_once) {
              return bring_to_rest(std::move(life), at_once);
            }) {}

  // `at_once`: a stop does not wait for pages in flight. The answer is where the job stands then; a
  // refusal says what is possible. A job that was started anew is yet to be planned.
  Async<Result<JobLife>> act(JobId job, lifecycle::JobAction action, bool at_once);

  Async<Result<JobLife>> resume(JobEntry& entry);
  // The paused run of the job goes on in this place.
  Async<Result<JobLife>> resume_with(JobEntry& entry, RunPlaces::HeldPlace place);
  Async<Result<JobLife>> cancel(JobId job);
  Async<Result<JobLife>> archive(JobId job, std::string why);

 private:
  Async<Result<JobLife>> trigger(JobEntry& entry);
  Async<Result<JobLife>> wait_for_place(JobEntry& entry, std::string trigger);
  [[nodiscard]] bool has_only_a_wish(const JobId& job) const;
  Async<Result<JobLife>> take_back(JobId job);
  Async<Result<JobLife>> pause(JobId job);
  Async<Result<JobLife>> resume_run(JobEntry& entry, const JobLife& before, Run run,
                                    RunPlaces::HeldPlace place);
  Async<Result<JobLife>> stop(JobId job, bool at_once);
  Async<Result<JobLife>> bring_to_stop(JobLife stopping, bool at_once);
  Async<void> bring_to_rest(JobLife life, bool at_once);
  Async<void> force_stop(JobId job, RunId run, std::chrono::milliseconds patience);
  Async<Result<JobLife>> begin_anew(JobId job);

  [[nodiscard]] const JobLife& life_of(const JobEntry& entry) const { return book_.life_of(entry); }
  [[nodiscard]] bool is_being_prepared(const JobId& job) const;
  void forget_missed(const JobEntry& entry);
  void rest(JobEntry& entry, Halt how);
  void halt(const JobEntry& entry, Halt how);

  const DriverTools tools_;
  JobBook& book_;
  RunPlaces& places_;
  DayQuotas& quotas_;
  RunCourse& course_;
  const DriverParts& parts_;
  UnwrittenActions unwritten_;
};

}  // namespace heddle::hub
