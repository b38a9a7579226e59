// JobScheduler: full storage, automatic archiving and deletion.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hub/jobs/scheduler_tests/job_scheduler_for_test.hpp"

namespace heddle::hub {

namespace {

using lifecycle::JobAction;
using ::testing::Contains;
using ::testing::HasSubstr;

class JobMaintenance : public JobSchedulerFixture {
 protected:
  void set_full(bool is_full) { ASSERT_TRUE(drive(scheduler_->hold_new_runs(is_full))); }
  std::optional<PauseReason> reason(const std::string& job_id) {
    return status(job_id).pause_reason;
  }
  // Its first run, from start to end.
  void run_once(const std::string& job_id, RunState end = RunState::completed) {
    ASSERT_TRUE(wait_until_executing(job_id));
    executor_->finish(job_id, end);
    ASSERT_TRUE(run_until([&] { return !executor_->is_executing(job_id) && !status(job_id).run; }));
  }
  bool is_idle() {
    return run_until([this] { return scheduler_->runs_under_way() == 0; });
  }
  Status remove(const std::string& job_id) { return drive(scheduler_->remove(JobId{job_id})); }
};

TEST_F(JobMaintenance, PausesScheduledJobsWhileStorageIsFull) {
  configure({job("a", "10m"), job("b"), job("c", "10m")});
  run_once("a");
  run_once("c");
  ASSERT_TRUE(is_idle());
  ASSERT_TRUE(act("c", JobAction::pause));
  set_full(true);
  EXPECT_EQ(reason("a"), PauseReason::storage_full);
  EXPECT_EQ(reason("b"), PauseReason::storage_full);
  EXPECT_EQ(reason("c"), PauseReason::user);
  advance(std::chrono::hours(1));
  set_full(false);
  EXPECT_EQ(state("a"), JobState::scheduled);
  EXPECT_EQ(state("b"), JobState::scheduled);
  EXPECT_EQ(state("c"), JobState::paused);
  wait_for_next_run("a");
  EXPECT_TRUE(wait_until_executing("a"));
}

TEST_F(JobMaintenance, FinishesAnActiveRunWhenStorageIsFull) {
  configure({job("a", "10m")});
  ASSERT_TRUE(wait_until_executing("a"));
  set_full(true);
  EXPECT_EQ(state("a"), JobState::running);
  executor_->finish("a", RunState::completed);
  EXPECT_TRUE(reaches("a", JobState::paused));
  EXPECT_EQ(reason("a"), PauseReason::storage_full);
  EXPECT_THAT(events("a"), Contains("job.completed"));
}

TEST_F(JobMaintenance, RefusesATriggerWhenStorageIsFull) {
  Job off = job("a");
  off.enabled = false;
  configure({off, job("b")});
  set_full(true);
  const auto refused = act("a", JobAction::trigger);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("storage is full"));
  EXPECT_FALSE(act("b", JobAction::trigger));
}

TEST_F(JobMaintenance, PausesNewJobsAndResumesNoneWhileStorageIsFull) {
  set_full(true);
  configure({job("a", "10m")});
  EXPECT_EQ(reason("a"), PauseReason::storage_full);
  const auto resumed = act("a", JobAction::resume);
  ASSERT_FALSE(resumed);
  EXPECT_THAT(resumed.error().message, ::testing::HasSubstr("limits.storage"));
  EXPECT_EQ(reason("a"), PauseReason::storage_full);
}

TEST_F(JobMaintenance, KeepsAUserPauseMadeWhileStorageWasFull) {
  configure({job("a")});
  set_full(true);
  ASSERT_TRUE(act("a", JobAction::pause));
  set_full(false);
  EXPECT_EQ(state("a"), JobState::paused);
  EXPECT_EQ(reason("a"), PauseReason::user);
}

TEST_F(JobMaintenance, ResumesJobsPausedForStorageAfterARestart) {
  configure({job("a")});
  set_full(true);
  restart({job("a")});
  EXPECT_EQ(state("a"), JobState::scheduled);
}

TEST_F(JobMaintenance, ArchivesIdleStoppedAndFailedJobs) {
  Job once = job("failed");
  once.enabled = false;  // not scheduled again
  configure({job("stopped"), once, job("planned")});
  ASSERT_TRUE(act("stopped", JobAction::stop));
  ASSERT_TRUE(act("failed", JobAction::trigger));
  run_once("failed", RunState::failed);
  ASSERT_EQ(state("failed"), JobState::failed);
  advance(std::chrono::days(10));
  ASSERT_TRUE(act("planned", JobAction::pause));
  EXPECT_EQ(drive(scheduler_->archive_idle(std::chrono::days(20))), 0u);
  EXPECT_EQ(drive(scheduler_->archive_idle(std::chrono::days(9))), 2u);
  EXPECT_EQ(state("failed"), JobState::archived);
  EXPECT_EQ(state("stopped"), JobState::archived);
  EXPECT_EQ(state("planned"), JobState::paused);
}

TEST_F(JobMaintenance, TreatsADeletedJobAsNewWhenItIsConfiguredAgain) {
  configure({job("a", "10m")});
  run_once("a");
  ASSERT_TRUE(is_idle());
  ASSERT_TRUE(remove("a"));
  EXPECT_EQ(scheduler_->status_store().find(JobId{"a"}), nullptr);
  EXPECT_EQ(scheduler_->find_job(JobId{"a"}), nullptr);
  const auto unknown = act("a", JobAction::trigger);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::not_found);
  advance(std::chrono::hours(1));
  loop_->restart();
  loop_->poll();
  EXPECT_FALSE(executor_->is_executing("a"));
  configure({job("a", "10m")});
  EXPECT_TRUE(wait_until_executing("a")) << "a new job runs immediately";
}

TEST_F(JobMaintenance, ForgetsADeletedJobAfterARestart) {
  configure({job("a")});
  ASSERT_TRUE(remove("a"));
  restart({});
  EXPECT_EQ(scheduler_->status_store().find(JobId{"a"}), nullptr);
}

TEST_F(JobMaintenance, RefusesToDeleteAJobWithARun) {
  configure({job("a", "10m")});
  ASSERT_TRUE(wait_until_executing("a"));
  const auto refused = remove("a");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  EXPECT_THAT(refused.error().message, HasSubstr("is running: cannot delete it now"));
  EXPECT_THAT(refused.error().message, HasSubstr("allowed: pause, cancel, stop"));
  ASSERT_TRUE(act("a", JobAction::pause));
  ASSERT_TRUE(is_idle());
  const auto paused = remove("a");
  ASSERT_FALSE(paused) << "it keeps its unfinished run";
  EXPECT_THAT(paused.error().message, HasSubstr("resume"));
}

}  // namespace

}  // namespace heddle::hub
