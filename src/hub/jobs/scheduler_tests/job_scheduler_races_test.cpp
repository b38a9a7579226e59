// JobScheduler: concurrent actions on a job.
#include <boost/asio/co_spawn.hpp>

#include "hub/jobs/scheduler_tests/job_scheduler_for_test.hpp"

namespace heddle::hub {
namespace {

using lifecycle::JobAction;

class JobSchedulerRaces : public JobSchedulerFixture {
 protected:
  // Starts the action; `answers_` counts those that have ended.
  template <class T>
  void begin(Async<T> work) {
    boost::asio::co_spawn(*loop_, std::move(work), [this](const std::exception_ptr& bug, T answer) {
      rethrow_bug(bug);
      ++answers_;
      if (answer) ++allowed_;
    });
  }
  bool all_answer(int count) {
    return run_until([this, count] { return answers_ == count; });
  }

  void pause_a_run(const std::string& id = "shop") {
    ASSERT_TRUE(drive(scheduler_->configure_job(job(id))));
    ASSERT_TRUE(act(id, JobAction::trigger));
    ASSERT_TRUE(wait_until_executing(id));
    ASSERT_TRUE(act(id, JobAction::pause));
    ASSERT_TRUE(run_until([this] { return scheduler_->runs_under_way() == 0; }));
  }

  int answers_ = 0;
  int allowed_ = 0;
};

TEST_F(JobSchedulerRaces, ResumeARunOnceForConcurrentRequests) {
  pause_a_run();
  for (int i = 0; i < 4; ++i) begin(scheduler_->act(JobId{"shop"}, {JobAction::resume}));
  ASSERT_TRUE(all_answer(4));
  EXPECT_EQ(allowed_, 1);
  ASSERT_TRUE(wait_until_executing("shop"));
  EXPECT_EQ(scheduler_->runs_under_way(), 1u);

  // With a page in flight the next resume waits until the run is paused.
  executor_->ignores_halt = true;
  ASSERT_TRUE(act("shop", JobAction::pause));
  begin(scheduler_->act(JobId{"shop"}, {JobAction::resume}));
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(drive(store_->put_job_name({{"z"}, "z", "web", ""})));
  EXPECT_EQ(answers_, 4);
  EXPECT_EQ(scheduler_->runs_under_way(), 1u);
  executor_->ignores_halt = false;
  executor_->halt(*status("shop").run, Halt::pause);
  ASSERT_TRUE(all_answer(5));
  EXPECT_EQ(allowed_, 2);
  ASSERT_TRUE(wait_until_executing("shop"));
  EXPECT_EQ(scheduler_->runs_under_way(), 1u);
  executor_->finish("shop", RunState::completed);
  ASSERT_TRUE(reaches("shop", JobState::scheduled));
  EXPECT_TRUE(run_until([this] { return scheduler_->runs_under_way() == 0; }));
  EXPECT_EQ(begun_runs().size(), 1u);
}

// The second action comes so many loop iterations after the first.
constexpr int kMoments = 25;

TEST_F(JobSchedulerRaces, ForceStopARunThatIsBeingResumed) {
  for (int moment = 0; moment < kMoments; ++moment) {
    const std::string id = "shop" + std::to_string(moment);
    pause_a_run(id);
    executor_->ignores_halt = true;  // only force ends it
    begin(scheduler_->act(JobId{id}, {JobAction::resume}));
    for (int i = 0; i < moment; ++i) loop_->run_one_for(std::chrono::milliseconds(1));
    begin(scheduler_->act(JobId{id}, {JobAction::stop, true}));
    ASSERT_TRUE(reaches(id, JobState::stopped)) << moment;
    EXPECT_EQ(status(id).run, std::nullopt);
    executor_->ignores_halt = false;
    executor_->finish(id, RunState::completed);
    ASSERT_TRUE(run_until([this] { return scheduler_->runs_under_way() == 0; }));
    EXPECT_TRUE(drive(store_->unfinished_runs())->empty()) << moment;
  }
  EXPECT_EQ(ended_.size(), static_cast<std::size_t>(kMoments)) << "each is reported once";
}

TEST_F(JobSchedulerRaces, CancelARunThatIsBeingResumed) {
  for (int moment = 0; moment < kMoments; ++moment) {
    const std::string id = "shop" + std::to_string(moment);
    pause_a_run(id);
    begin(scheduler_->act(JobId{id}, {JobAction::resume}));
    for (int i = 0; i < moment; ++i) loop_->run_one_for(std::chrono::milliseconds(1));
    begin(scheduler_->act(JobId{id}, {JobAction::cancel}));
    ASSERT_TRUE(run_until([&] {
      return state(id) == JobState::scheduled && scheduler_->runs_under_way() == 0;
    })) << moment;
    EXPECT_EQ(status(id).run, std::nullopt) << moment;
    EXPECT_TRUE(drive(store_->unfinished_runs())->empty()) << moment;
  }
}

TEST_F(JobSchedulerRaces, DeleteJobsWhileTheirFilesVanish) {
  std::vector<Job> jobs;
  for (int i = 0; i < 50; ++i) jobs.push_back(job("job" + std::to_string(i)));
  configure(jobs);
  for (const Job& each : jobs) begin(scheduler_->remove(each.id));
  begin(scheduler_->configure_jobs({}));
  for (const Job& each : jobs) begin(scheduler_->act(each.id, {JobAction::stop}));
  for (const Job& each : jobs) begin(scheduler_->act(each.id, {JobAction::archive}));
  ASSERT_TRUE(all_answer(151));
  for (const Job& each : jobs)
    if (const JobStatus* left = scheduler_->status_store().find(each.id)) {
      EXPECT_NE(left->state, JobState::running);
    }
}

TEST_F(JobSchedulerRaces, ReloadFilesWhileAPageOfAPausedRunIsInFlight) {
  configure({job("shop", "10m")});
  ASSERT_TRUE(wait_until_executing("shop"));
  executor_->ignores_halt = true;
  configure({});
  EXPECT_EQ(status("shop").pause_reason, PauseReason::missing);
  configure({job("shop", "10m")});  // does not wait for the page
  EXPECT_EQ(scheduler_->runs_under_way(), 1u);

  executor_->ignores_halt = false;
  executor_->halt(begun_runs().front().id, Halt::pause);
  ASSERT_TRUE(run_until([this] { return state("shop") == JobState::running; }));
  ASSERT_TRUE(wait_until_executing("shop"));
  EXPECT_EQ(begun_runs().size(), 1u) << "the same run continues";
}

}  // namespace
}  // namespace heddle::hub
