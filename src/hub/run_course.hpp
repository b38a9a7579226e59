// The course of a run: the step into it, its record, the work on it by the office of its job's
// kind, its end, and where that leaves the job. Every step is stored before it is acted on, however
// long the store cannot be written. One event loop; everything it is given outlives it.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/async.hpp"
#include "base/result.hpp"
#include "hub/day_quotas.hpp"
#include "hub/job_book.hpp"
#include "hub/run_places.hpp"
#include "hub/store_patience.hpp"
#include "lifecycle/quota.hpp"

namespace heddle::hub {

class RunCourse {
 public:
  using HeldPlace = RunPlaces::HeldPlace;
  // What it asks of whoever sees to all jobs.
  struct Owner {
    // The run has ended, and its job knows. Its place is kept until this returns.
    std::function<Async<void>(const FinishedRun&)> on_ended;
    // Whether other jobs start by its end: that it happened is kept until they know.
    std::function<bool(const Run&)> has_followers;
    // The job was held because it could not be read, but has been read anew since.
    std::function<void(JobEntry&)> look_again;
  };

  RunCourse(JobBook& book, DayQuotas& quotas, StorePatience& patience, const DriverParts& parts,
            Owner owner)
      : book_(book),
        quotas_(quotas),
        patience_(patience),
        parts_(parts),
        owner_(std::move(owner)) {}

  // The first step of every run. `run`: what it will be called, if that is known. `was_waiting`: it
  // is the one that the job waited for.
  Async<Result<JobLife>> enter(JobEntry& entry, std::string trigger,
                               std::optional<RunId> run = std::nullopt, bool was_waiting = false);
  // From there to its end.
  Async<Result<FinishedRun>> run(JobEntry& entry, RunWish wish, HeldPlace place);
  // The same, with nobody to follow it: what comes of it is logged.
  Async<void> run_unfollowed(JobEntry& entry, RunWish wish, HeldPlace place);
  // From wherever the run stands to its end; its job is `running`.
  Async<void> go_on(JobEntry& entry, Run run, HeldPlace place);

  // Ends a run that something belongs to around its work, and that nobody will go on with.
  Async<Status> wind_up(JobEntry& entry, Run run);

  // The job after the end of its run.
  Async<Status> settle(JobEntry& entry, const FinishedRun& finished);
  // The run could not be worked on at all. It stays in the store as it is, for the next daemon.
  Async<void> give_up(JobEntry& entry, const Error& why);
  // Its run of letters was never written down: they are still there, and the job has not failed.
  Async<Status> call_off(JobEntry& entry);
  // Ends a run that nobody works on, if it has a name, and the job if it waits for that.
  Async<Status> end_idle(JobId job, RunId run, RunState state);
  // Whether more belongs to the end of a run that nobody works on: then go_on() is the way.
  Async<Result<std::optional<Run>>> find_with_course(const JobEntry* entry, RunId run);

 private:
  using Decide = lifecycle::JobKeeper::Decide;
  using Edit = lifecycle::JobKeeper::Edit;

  Async<Result<Run>> begin(JobEntry& entry, RunWish& wish);
  Async<Result<bool>> prepare(JobEntry& entry, const Run& run, RunWish& wish);
  Async<Result<FinishedRun>> drop(JobEntry& entry, Run run);
  Async<Result<FinishedRun>> work(JobEntry& entry, Run run, RunWish wish);
  Async<Result<FinishedRun>> have_it_done(const JobEntry& entry, const Run& run,
                                          const RunWish& wish);
  [[nodiscard]] bool is_unwanted(const JobEntry& entry, const RunId& run) const;
  Async<void> tell_end(const FinishedRun& finished);
  void halt_if_unwanted(const JobEntry& entry, const RunId& run);
  void note_end(const JobEntry& entry, const FinishedRun& finished,
                const lifecycle::DayQuota& quota, JobChange& change);
  Steps steps_after(JobEntry& entry, const JobLife& life, const FinishedRun& finished,
                    const lifecycle::DayQuota& quota);
  Steps steps_into_wait(const JobEntry& entry, const JobLife& life, const FinishedRun& finished);
  Steps steps_onward(JobEntry& entry, const JobLife& life, const FinishedRun& finished,
                     const lifecycle::DayQuota& quota);
  void plan_retry(JobEntry& entry, const JobLife& life, const Run& failed_run);
  void plan_next(JobEntry& entry, const lifecycle::DayQuota& quota, Steps& steps);
  Async<Result<JobLife>> insist(const JobEntry& entry, const Decide& decide, const Edit& also);

  JobBook& book_;
  DayQuotas& quotas_;
  StorePatience& patience_;
  const DriverParts& parts_;
  Owner owner_;
};

}  // namespace heddle::hub
