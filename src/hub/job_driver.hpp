// Drives the lives of a project's jobs: starts them when they are due, carries out what people ask,
// follows each run to its end and plans the next one. What is allowed stands in the table of
// lifecycle; every step is stored before it is acted on. One event loop; everything it is given
// outlives it.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/result.hpp"
#include "hub/day_quotas.hpp"
#include "hub/driver_parts.hpp"
#include "hub/job_actions.hpp"
#include "hub/job_book.hpp"
#include "hub/leftovers.hpp"
#include "hub/run_course.hpp"
#include "hub/run_places.hpp"
#include "hub/store_patience.hpp"
#include "schedule/clock_watch.hpp"
#include "schedule/dependencies.hpp"
#include "schedule/overlap.hpp"

namespace heddle::hub {

class JobDriver {
 public:
  JobDriver(boost::asio::any_io_executor loop, DriverParts parts, DriverRules rules);
  JobDriver(const JobDriver&) = delete;
  JobDriver& operator=(const JobDriver&) = delete;

  // What a former daemon left; to be called first.
  Async<Status> load() { return book_.keeper().load(); }
  // The jobs as they are configured now: new ones are planned, changed ones planned anew, and those
  // that are not there any more are paused until they are back.
  // `mistaken`: their files have mistakes now, and these are their former versions.
  Async<Status> adopt(std::vector<Job> jobs, std::set<JobId> mistaken = {});
  // One job, while nothing is said about the others.
  Async<Status> adopt_job(Job job);
  // The same for whoever wants a new run of it: ends those that nobody works on any more, also one
  // that would go on by itself now. What they stored is kept. Returns how many there were.
  Async<Result<std::size_t>> adopt_for_new_run(Job job);
  // Goes on with runs that a former daemon left, once the jobs are known.
  Async<Status> take_up_leftovers();
  // More places are filled at once; runs that have one keep it.
  void set_rules(const DriverRules& rules);
  // Starts what is due, until leave().
  Async<void> keep_time();
  void leave();
  // The clock of a test was put forward.
  void look() { book_.planned().ring(); }

  // What people ask for. `at_once`: a stop does not wait for pages in flight. The answer is where
  // the job stands then; a refusal says what is possible.
  Async<Result<JobLife>> act(JobId job, lifecycle::JobAction action, bool at_once = false);

  // What was asked for last holds, but could not be written yet: if the daemon dies before that,
  // the former state is back.
  [[nodiscard]] bool has_unwritten(const JobId& job) const;

  // The job and its history are gone from here on; refused while a run of it has not ended. One
  // that is still configured comes back as a new job with the next adopt().
  Async<Status> remove(JobId job);

  // No run begins while the disk space is used up: jobs that would start by themselves are paused,
  // and go on when there is room again. Runs under way go on. Nobody else's pause is touched.
  Async<Status> hold_new_runs(bool is_storage_full);

  // Stopped and failed jobs that nothing happened to for so long are archived; how many.
  Async<std::size_t> archive_idle(std::chrono::milliseconds idle);

  // Triggers the job and follows its run to the end.
  Async<Result<FinishedRun>> run_now(JobId job, RunFollower* follower,
                                     std::function<void(const Run&)> on_begun);

  // The same for a run over the pages of these letters. It says nothing about the job as a whole:
  // neither its check state nor the jobs that follow it, nor another try of a failed run, change.
  Async<Result<FinishedRun>> retry_letters(JobId job, std::vector<LetterId> letters,
                                           RunFollower* follower,
                                           std::function<void(const Run&)> on_begun);

  [[nodiscard]] const lifecycle::JobKeeper& keeper() const { return book_.keeper(); }
  // nullptr: not in the configuration.
  [[nodiscard]] const Job* find_job(const JobId& job) const;
  [[nodiscard]] std::size_t runs_under_way() const { return places_.taken(); }
  [[nodiscard]] WaitingRuns waiting_runs() const { return places_.waiting(); }
  [[nodiscard]] std::size_t jobs() const { return book_.all().size(); }
  // Returns when no run is under way.
  Async<void> idle() { return places_.idle(); }

 private:
  // When jobs start (job_planning.cpp).
  [[nodiscard]] schedule::TickAction tick_action(const JobEntry& entry,
                                                 std::string_view trigger) const;
  void plan_anew();
  void on_due(JobEntry& entry, WallTime now);
  void want_run(JobEntry& entry, std::string trigger, WallTime since);
  void want_place(JobEntry& entry, std::string trigger, WallTime since);
  Async<void> note_wish(JobEntry& entry);
  Async<void> make_way(JobId job);
  Async<void> note_next_run(JobId job);
  Async<Status> look_at_day(JobEntry& entry);
  Async<void> begin_day(JobEntry& entry);

  // Jobs that start when others end (job_followers.cpp).
  [[nodiscard]] std::vector<JobId> followers_of(const Run& ended) const;
  Async<void> tell_followers(const Run& ended, const std::set<JobId>& told);
  bool expects_run(const JobId& follower, WallTime since);
  Async<bool> note_plans(JobId job);
  Async<void> note_told(JobId job, RunId run);
  Async<Status> tell_what_was_left_untold(std::vector<JobLife> lives);

  // Which jobs there are (job_adoption.cpp).
  Async<Status> sync(JobEntry& entry);
  Async<Status> follow_configuration(JobEntry& entry);
  Async<void> adopt_one(Job job, Status& worst);
  Async<void> resume_when_idle(JobEntry& entry);
  Async<Status> pause_missing(JobId job);

  // What the daemon does by itself (job_upkeep.cpp).
  Async<Status> wait_until_idle(JobEntry& entry);
  Async<void> hold(JobId job);
  Async<void> release(JobId job);

  Async<void> start(JobEntry& entry, std::string trigger, RunPlaces::HeldPlace place);
  Async<void> go_on(JobEntry& entry, RunPlaces::HeldPlace place);
  Async<void> drop_wish(JobEntry& entry);
  Async<Result<FinishedRun>> run_wish(JobId job, RunWish wish);
  Async<void> on_ended(const FinishedRun& finished);
  [[nodiscard]] const JobLife& life_of(const JobEntry& entry) const { return book_.life_of(entry); }

  DriverParts parts_;
  DriverRules rules_;
  JobBook book_;
  RunPlaces places_;
  DayQuotas quotas_;
  StorePatience patience_;
  RunCourse course_;
  DriverTools tools_;
  JobActions actions_;
  Leftovers leftovers_;
  schedule::Dependencies dependencies_;
  schedule::ClockWatch clock_watch_;
  bool is_leaving_ = false;
};

}  // namespace heddle::hub
