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

  executor_->finish("shop", RunState::completed);
  ASSERT_TRUE(reaches("shop", JobState::scheduled));
  EXPECT_TRUE(run_until([this] { return scheduler_->runs_under_way() == 0; }));
  EXPECT_EQ(begun_runs().size(), 1u);
}

// A page of "shop" is in progress although its run was paused, and a user resumes it.
class JobSchedulerEarlyResume : public JobSchedulerRaces {
 protected:
  void SetUp() override {
    JobSchedulerRaces::SetUp();
    configure({job("shop")});
    ASSERT_TRUE(act("shop", JobAction::trigger));
    ASSERT_TRUE(wait_until_executing("shop"));
    run_ = *status("shop").run;
    executor_->ignores_halt = true;
    ASSERT_TRUE(act("shop", JobAction::pause));
    for (int i = 0; i < 2; ++i) begin(scheduler_->act(JobId{"shop"}, {JobAction::resume}));
    ASSERT_TRUE(all_answer(2)) << "it does not wait for the page";
    EXPECT_EQ(allowed_, 2);
    EXPECT_TRUE(scheduler_->is_pausing(JobId{"shop"}));
    EXPECT_EQ(state("shop"), JobState::paused);
    ASSERT_TRUE(status("shop").queued_run);
    EXPECT_EQ(status("shop").queued_run->trigger, RunTrigger::resume);
  }

  void finish_page() {
    executor_->ignores_halt = false;
    executor_->halt(run_, Halt::pause);
  }
  bool is_idle() {
    return run_until([this] { return scheduler_->runs_under_way() == 0; });
  }

  RunId run_;
};

TEST_F(JobSchedulerEarlyResume, ContinuesTheRunWhenThePageHasFinished) {
  finish_page();
  ASSERT_TRUE(reaches("shop", JobState::running));
  ASSERT_TRUE(wait_until_executing("shop"));
  EXPECT_EQ(status("shop").run, run_);
  EXPECT_EQ(status("shop").queued_run, std::nullopt);
  EXPECT_EQ(scheduler_->runs_under_way(), 1u);
  executor_->finish("shop", RunState::completed);
  ASSERT_TRUE(reaches("shop", JobState::scheduled));
  ASSERT_TRUE(is_idle());
  EXPECT_EQ(begun_runs().size(), 1u);
}

TEST_F(JobSchedulerEarlyResume, SchedulesTheJobWhenThePageWasTheLast) {
  executor_->finish("shop", RunState::completed);
  ASSERT_TRUE(reaches("shop", JobState::scheduled));
  ASSERT_TRUE(is_idle());
  EXPECT_EQ(status("shop").queued_run, std::nullopt);
  EXPECT_EQ(begun_runs().size(), 1u);
  EXPECT_THAT(ended_, ::testing::ElementsAre("completed"));
}

TEST_F(JobSchedulerEarlyResume, IsWithdrawnByAPause) {
  ASSERT_TRUE(act("shop", JobAction::pause));
  EXPECT_EQ(status("shop").queued_run, std::nullopt);
  finish_page();
  ASSERT_TRUE(is_idle());
  EXPECT_EQ(state("shop"), JobState::paused);
  ASSERT_TRUE(act("shop", JobAction::resume));
  EXPECT_EQ(state("shop"), JobState::running);
}

TEST_F(JobSchedulerEarlyResume, IsDroppedByAStop) {
  ASSERT_TRUE(act("shop", JobAction::stop));
  executor_->finish("shop", RunState::stopped);
  ASSERT_TRUE(reaches("shop", JobState::stopped));
  ASSERT_TRUE(is_idle());
  EXPECT_EQ(status("shop").queued_run, std::nullopt);
  EXPECT_TRUE(drive(store_->unfinished_runs())->empty());
}

TEST_F(JobSchedulerEarlyResume, SurvivesARestart) {
  executor_->ignores_halt = false;
  restart({job("shop")});
  ASSERT_TRUE(reaches("shop", JobState::running));
  EXPECT_EQ(status("shop").run, run_);
  ASSERT_TRUE(wait_until_executing("shop"));
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
