#include "hub/jobs/scheduler_tests/job_scheduler_for_test.hpp"

namespace heddle::hub {
namespace {

using lifecycle::JobAction;
using namespace std::chrono_literals;

class JobSchedulerTicksTest : public JobSchedulerFixture {};

TEST_F(JobSchedulerTicksTest, SkipsATickWhileThePreviousRunIsActive) {
  configure({job("shop", "10m")});
  ASSERT_TRUE(wait_until_executing("shop"));
  advance(35min);
  executor_->finish("shop", RunState::completed);
  ASSERT_TRUE(reaches("shop", JobState::scheduled));
  EXPECT_EQ(begun_runs().size(), 1u);
  EXPECT_GT(*status("shop").next_run_at, clock_.now());
}

TEST_F(JobSchedulerTicksTest, DoesNotCatchUpASkippedTickAfterARestart) {
  configure({job("shop", "10m")});
  ASSERT_TRUE(wait_until_executing("shop"));
  advance(15min);
  ASSERT_TRUE(run_until([&] { return loop_->poll() == 0; }));
  executor_->finish("shop", RunState::completed);
  ASSERT_TRUE(reaches("shop", JobState::scheduled));
  const auto next = status("shop").next_run_at;
  restart({job("shop", "10m")});
  EXPECT_EQ(status("shop").next_run_at, next);
  EXPECT_GT(*next, clock_.now());
}

TEST_F(JobSchedulerTicksTest, DoesNotCatchUpThePauseOfACancelledRun) {
  configure({job("shop", "10m")});
  ASSERT_TRUE(wait_until_executing("shop"));
  ASSERT_TRUE(act("shop", JobAction::pause));
  ASSERT_TRUE(run_until([&] { return scheduler_->runs_under_way() == 0; }));
  clock_.advance(35min);
  ASSERT_TRUE(act("shop", JobAction::cancel));
  EXPECT_GT(*status("shop").next_run_at, clock_.now());
}

TEST_F(JobSchedulerTicksTest, DoesNotCatchUpAPause) {
  configure({job("shop", "10m")});
  ASSERT_TRUE(wait_until_executing("shop"));
  executor_->finish("shop", RunState::completed);
  ASSERT_TRUE(reaches("shop", JobState::scheduled));
  ASSERT_TRUE(act("shop", JobAction::pause));
  advance(5h);
  ASSERT_TRUE(act("shop", JobAction::resume));
  EXPECT_GT(*status("shop").next_run_at, clock_.now());
}

TEST_F(JobSchedulerTicksTest, KeepsTheTicksOfARunningJobOnAReload) {
  Job impatient = job("shop", "10m");
  impatient.overlap = OverlapPolicy::replace;
  configure({impatient});
  ASSERT_TRUE(wait_until_executing("shop"));
  configure({impatient, job("new")});
  advance(11min);
  ASSERT_TRUE(run_until([&] { return begun_runs().size() == 2; }));
}

TEST_F(JobSchedulerTicksTest, QueuesOneRunWithOverlapQueue) {
  Job queued = job("shop", "10m");
  queued.overlap = OverlapPolicy::queue;
  configure({queued});
  ASSERT_TRUE(wait_until_executing("shop"));
  advance(25min);
  ASSERT_TRUE(run_until([&] { return !executor_->under_way.empty(); }));
  loop_->restart();
  loop_->run_for(50ms);
  executor_->finish("shop", RunState::completed);
  ASSERT_TRUE(run_until([&] { return begun_runs().size() == 2; }));
  ASSERT_TRUE(wait_until_executing("shop"));
}

TEST_F(JobSchedulerTicksTest, ReplacesThePreviousRunWithOverlapReplace) {
  Job impatient = job("shop", "10m");
  impatient.overlap = OverlapPolicy::replace;
  configure({impatient});
  ASSERT_TRUE(wait_until_executing("shop"));
  advance(11min);
  ASSERT_TRUE(run_until([&] { return begun_runs().size() == 2; }));
  const auto former = drive(store_->find_run(begun_runs().front().id));
  EXPECT_EQ((*former)->state, RunState::cancelled);
  auto reader = store::SqliteReader::open(file());
  ASSERT_TRUE(reader);
  const auto events = (*reader)->events(0, 1000);
  ASSERT_TRUE(events);
  EXPECT_TRUE(std::ranges::any_of(*events, [](const store::StoredEvent& event) {
    return event.data.find("the next run replaces it") != std::string::npos;
  }));
}

TEST_F(JobSchedulerTicksTest, KeepsCronJobsRunningWhenTheClockIsSetBack) {
  configure({job("shop", "*/5 * * * *")});
  advance(5min);
  ASSERT_TRUE(wait_until_executing("shop"));
  executor_->finish("shop", RunState::completed);
  ASSERT_TRUE(reaches("shop", JobState::scheduled));
  clock_.jump(-2h);
  scheduler_->wake();
  ASSERT_TRUE(run_until([&] { return *status("shop").next_run_at - clock_.now() <= 5min; }));
  advance(5min);
  ASSERT_TRUE(wait_until_executing("shop"));
}

TEST_F(JobSchedulerTicksTest, RetriesAFailedRunAfterItsWaitWhateverTheClockIsSetTo) {
  Job failing = job("shop");
  failing.retry.runs = 1;
  failing.retry.base = 1min;
  configure({failing});
  ASSERT_TRUE(act("shop", JobAction::trigger));
  ASSERT_TRUE(wait_until_executing("shop"));
  executor_->finish("shop", RunState::failed);
  ASSERT_TRUE(run_until([&] { return scheduler_->runs_under_way() == 0; }));
  const auto wait = *status("shop").next_run_at - clock_.now();
  EXPECT_GT(wait, 30s);
  for (const auto jump : {4h, -6h}) {
    clock_.jump(jump);
    scheduler_->wake();
    ASSERT_TRUE(run_until([&] { return status("shop").next_run_at == clock_.now() + wait; }));
  }
  EXPECT_EQ(begun_runs().size(), 1u);
  advance(wait);
  ASSERT_TRUE(wait_until_executing("shop"));
  EXPECT_EQ(begun_runs().back().trigger, RunTrigger::retry);
}

TEST_F(JobSchedulerTicksTest, RestartsTheWaitOfARetryWhenTheClockWasSetBackWithoutADaemon) {
  Job failing = job("shop");
  failing.retry.runs = 1;
  failing.retry.base = 1min;
  configure({failing});
  ASSERT_TRUE(act("shop", JobAction::trigger));
  ASSERT_TRUE(wait_until_executing("shop"));
  executor_->finish("shop", RunState::failed);
  ASSERT_TRUE(reaches("shop", JobState::scheduled));
  clock_.jump(-2h);
  restart({failing});
  advance(1min);
  ASSERT_TRUE(wait_until_executing("shop"));
}

TEST_F(JobSchedulerTicksTest, StartsDependentJobs) {
  Job second = job("second");
  second.after = {{JobId{"first"}, TriggerOn::completed}};
  Job alarm = job("alarm");
  alarm.after = {{JobId{"first"}, TriggerOn::failed}};
  configure({job("first"), second, alarm});
  ASSERT_TRUE(act("first", JobAction::trigger));
  ASSERT_TRUE(wait_until_executing("first"));
  executor_->finish("first", RunState::completed);
  ASSERT_TRUE(wait_until_executing("second"));
  EXPECT_EQ(begun_runs().back().trigger, RunTrigger::after);
  EXPECT_FALSE(executor_->is_executing("alarm"));
}

TEST_F(JobSchedulerTicksTest, LimitsParallelRuns) {
  stop_daemon();
  rules_.runs_in_parallel = 2;
  start_daemon();
  start_schedule();
  configure({job("a", "10m"), job("b", "10m"), job("c", "10m")});
  ASSERT_TRUE(run_until([&] { return executor_->under_way.size() == 2; }));
  loop_->restart();
  loop_->run_for(50ms);
  EXPECT_EQ(executor_->under_way.size(), 2u);
  for (const char* each : {"a", "b", "c"}) executor_->finish(each, RunState::completed);
  ASSERT_TRUE(run_until([&] { return begun_runs().size() == 3; }));
}

TEST_F(JobSchedulerTicksTest, FillsNewSlotsWhenTheLimitRises) {
  stop_daemon();
  rules_.runs_in_parallel = 1;
  start_daemon();
  start_schedule();
  configure({job("a", "10m"), job("b", "10m"), job("c", "10m")});
  ASSERT_TRUE(run_until([&] { return executor_->under_way.size() == 1; }));
  SchedulerRules more = rules_;
  more.runs_in_parallel = 3;
  scheduler_->set_rules(more);
  ASSERT_TRUE(run_until([&] { return executor_->under_way.size() == 3; }));
}

TEST_F(JobSchedulerTicksTest, CatchesUpMissedRunsOnceAfterARestart) {
  configure({job("shop", "10m")});
  ASSERT_TRUE(wait_until_executing("shop"));
  executor_->finish("shop", RunState::completed);
  ASSERT_TRUE(reaches("shop", JobState::scheduled));
  stop_daemon();
  clock_.advance(5h);
  start_daemon();
  configure({job("shop", "10m")});
  start_schedule();
  ASSERT_TRUE(wait_until_executing("shop"));
  executor_->finish("shop", RunState::completed);
  ASSERT_TRUE(reaches("shop", JobState::scheduled));
  EXPECT_EQ(begun_runs().size(), 1u);
}

}  // namespace
}  // namespace heddle::hub
