// Drives the lives of a project's jobs: starts them when they are due, carries out what people ask,
// follows each run to its end and plans the next one. What is allowed stands in the table of
// lifecycle; every step is stored before it is acted on. One event loop; everything it is given
// outlives it.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/doorbell.hpp"
#include "base/log.hpp"
#include "base/result.hpp"
#include "hub/driver_parts.hpp"
#include "hub/timetable.hpp"
#include "lifecycle/job_keeper.hpp"
#include "lifecycle/quota.hpp"
#include "model/dead_letter.hpp"
#include "model/job.hpp"
#include "schedule/clock_watch.hpp"
#include "schedule/dependencies.hpp"
#include "store/store.hpp"

namespace heddle::hub {

class JobDriver {
 public:
  JobDriver(boost::asio::any_io_executor loop, DriverParts parts, DriverRules rules);
  ~JobDriver();
  JobDriver(const JobDriver&) = delete;
  JobDriver& operator=(const JobDriver&) = delete;

  // What a former daemon left; to be called first.
  Async<Status> load();
  // The jobs as they are configured now: new ones are planned, changed ones planned anew, and those
  // that are not there any more are paused until they are back.
  Async<Status> adopt(std::vector<Job> jobs);
  // One job, while nothing is said about the others.
  Async<Status> adopt_job(Job job);
  // For whoever wants a new run: ends runs of the job that nobody works on any more as failed. What
  // they stored is kept. Returns how many there were.
  Async<Result<std::size_t>> settle_interrupted(JobId job);
  // Goes on with runs that a former daemon left, once the jobs are known.
  Async<Status> take_up_leftovers();
  // More places are filled at once; runs that have one keep it.
  void set_rules(const DriverRules& rules);
  // Starts what is due, until leave().
  Async<void> keep_time();
  void leave();
  // The clock of a test was put forward.
  void look() { planned_.ring(); }

  // What people ask for. `at_once`: a stop does not wait for pages in flight. The answer is where
  // the job stands then; a refusal says what is possible.
  Async<Result<JobLife>> act(JobId job, lifecycle::JobAction action, bool at_once = false);

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

  [[nodiscard]] const lifecycle::JobKeeper& keeper() const { return keeper_; }
  // nullptr: not in the configuration.
  [[nodiscard]] const Job* find_job(const JobId& job) const;
  [[nodiscard]] std::size_t runs_under_way() const { return busy_; }
  [[nodiscard]] WaitingRuns waiting_runs() const;
  [[nodiscard]] std::size_t jobs() const { return entries_.size(); }
  // Returns when no run is under way.
  Async<void> idle();

 private:
  using Entry = JobEntry;
  using Wish = RunWish;
  class Busy;  // an entry is, while it lives
  using BusyEntry = std::shared_ptr<Busy>;
  using Steps = std::vector<lifecycle::JobStep>;

  BusyEntry make_busy(Entry& entry);

  // When (job_planning.cpp).
  std::optional<WallTime> plan(Entry& entry);
  void plan_anew();
  void on_due(Entry& entry, WallTime now);
  void want_run(Entry& entry, std::string trigger, WallTime since);
  void wait_for_place(Entry& entry);
  void forget_wish(Entry& entry);
  void start_waiting();
  Async<void> note_next_run(JobId job);

  // Which jobs there are (job_adoption.cpp).
  Entry& entry_of(Job job);
  Async<Status> sync(Entry& entry);
  Async<void> adopt_one(Job job, Status& worst);
  Async<void> resume_when_idle(Entry& entry);
  Async<Status> pause_missing(JobId job);
  Async<Status> settle_leftover(Entry& entry, const std::vector<Run>& unfinished);
  Async<Status> settle_stray(const Run& run);
  Async<Status> take_up(Entry& entry, const Run& run);
  Async<void> start_again(Entry& entry, BusyEntry busy);
  Async<Status> end_leftover(JobId job, RunId run, RunState state);

  // Runs (job_driver.cpp).
  Async<void> start(Entry& entry, std::string trigger);
  Async<Result<FinishedRun>> run_wish(JobId job, Wish wish);
  Async<Result<JobLife>> enter(Entry& entry, std::string trigger,
                               std::optional<RunId> run = std::nullopt);
  Async<Result<Run>> begin(Entry& entry, Wish& wish);
  Async<Status> call_off(Entry& entry);
  Async<Result<FinishedRun>> run(Entry& entry, Wish wish, BusyEntry busy);
  Async<Result<FinishedRun>> work(Entry& entry, Run run, Wish wish);
  Async<void> go_on(Entry& entry, Run run, BusyEntry busy);
  Async<Result<FinishedRun>> drop_run(Entry& entry, Run run);
  void halt_if_unwanted(const Entry& entry, const RunId& run);
  Async<Status> settle(Entry& entry, const FinishedRun& finished);
  Steps steps_after(Entry& entry, const JobLife& life, const FinishedRun& finished,
                    const lifecycle::DayQuota& quota);
  void plan_next(Entry& entry, const lifecycle::DayQuota& quota, Steps& steps);
  void tell_followers(const JobId& job, RunState state);

  // While the store cannot be written (job_outage.cpp).
  struct Outage {
    std::chrono::milliseconds pause{0};  // before the last try
  };
  Async<bool> wait_for_store(const Entry& entry, const Error& why, Outage& outage);
  void note_end_of(const Outage& outage, const Entry& entry);
  Async<Result<JobLife>> insist(const Entry& entry, const lifecycle::JobKeeper::Decide& decide,
                                const lifecycle::JobKeeper::Edit& also);
  Async<Result<Run>> end_in_spite_of_store(const Entry& entry, RunId run, RunState state);
  Async<Result<FinishedRun>> work_in_spite_of_store(const Entry& entry, const Run& run,
                                                    RunFollower* follower,
                                                    const std::function<void()>& on_listed);
  Async<void> give_up(Entry& entry, const Error& why);

  // What a job may do in a day (job_quotas.cpp).
  Async<Result<lifecycle::DayQuota>> quota_of(const Entry& entry);
  Async<Result<lifecycle::DayQuota>> claim_day(Entry& entry);
  Async<Status> pause_until(Entry& entry, const lifecycle::DayQuota& quota);
  Async<Status> look_at_day(Entry& entry);
  Async<void> begin_day(Entry& entry);
  void wait_for_day(Entry& entry, WallTime day);
  [[nodiscard]] bool waits_for_day(const Entry& entry) const;

  // Upkeep (job_upkeep.cpp).
  Async<Status> wait_until_idle(Entry& entry);
  void pause_if_full(Entry& entry, Steps& steps);
  Async<void> hold(JobId job);
  Async<void> release(JobId job);

  // What people ask for (job_actions.cpp).
  Async<Result<JobLife>> trigger(Entry& entry);
  Async<Result<JobLife>> pause(Entry& entry);
  Async<Result<JobLife>> resume(Entry& entry);
  Async<Result<JobLife>> resume_run(Entry& entry, Run run, BusyEntry busy);
  Async<Result<JobLife>> cancel(JobId job);
  Async<void> make_way(JobId job);
  Async<Result<JobLife>> stop(JobId job, bool at_once);
  Async<void> force_stop(JobId job, RunId run, std::chrono::milliseconds patience);
  Async<Result<JobLife>> archive(JobId job, std::string why = {});
  Async<Result<JobLife>> begin_anew(JobId job);
  Steps steps_into_schedule(Entry& entry, lifecycle::JobAction action);

  Entry* find_entry(const JobId& job);
  [[nodiscard]] const JobLife& life_of(const JobId& job) const;
  [[nodiscard]] const JobLife& life_of(const Entry& entry) const;
  void spawn(Async<void> work);

  boost::asio::any_io_executor loop_;
  DriverParts parts_;
  DriverRules rules_;
  lifecycle::JobKeeper keeper_;
  Timetable timetable_;
  schedule::Dependencies dependencies_;
  schedule::ClockWatch clock_watch_;
  std::map<JobId, std::unique_ptr<Entry>> entries_;
  std::vector<Entry*> by_number_;
  std::deque<Entry*> waiting_;  // for a place
  std::chrono::milliseconds spread_{0};
  std::size_t busy_ = 0;
  std::size_t starting_ = 0;  // have a place, but did not begin yet
  bool is_leaving_ = false;
  bool is_storage_full_ = false;
  Doorbell planned_;
  Doorbell run_over_;
};

}  // namespace heddle::hub
