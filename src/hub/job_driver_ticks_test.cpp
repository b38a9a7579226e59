#include "hub/driver_for_test.hpp"

namespace heddle::hub {
namespace {

using lifecycle::JobAction;
using namespace std::chrono_literals;

class JobDriverTicksTest : public DriverFixture {};

TEST_F(JobDriverTicksTest, SkipsATickWhileTheFormerRunIsNotOver) {
  adopt({job("shop", "10m")});
  ASSERT_TRUE(is_worked_on("shop"));
  advance(35min);
  office_->finish("shop", RunState::completed);
  ASSERT_TRUE(comes_to("shop", JobState::scheduled));
  EXPECT_EQ(office_->begun_runs.size(), 1u);
  EXPECT_GT(*life("shop").next_run_at, clock_.now());
}

TEST_F(JobDriverTicksTest, DoesNotMakeUpForASkippedTickAfterARestart) {
  adopt({job("shop", "10m")});
  ASSERT_TRUE(is_worked_on("shop"));
  advance(15min);
  ASSERT_TRUE(run_until([&] { return loop_->poll() == 0; }));
  office_->finish("shop", RunState::completed);
  ASSERT_TRUE(comes_to("shop", JobState::scheduled));
  const auto next = life("shop").next_run_at;
  restart({job("shop", "10m")});
  EXPECT_EQ(life("shop").next_run_at, next);
  EXPECT_GT(*next, clock_.now());
}

TEST_F(JobDriverTicksTest, DoesNotMakeUpForThePauseOfARunThatIsCancelled) {
  adopt({job("shop", "10m")});
  ASSERT_TRUE(is_worked_on("shop"));
  ASSERT_TRUE(act("shop", JobAction::pause));
  ASSERT_TRUE(run_until([&] { return driver_->runs_under_way() == 0; }));
  clock_.advance(35min);
  ASSERT_TRUE(act("shop", JobAction::cancel));
  EXPECT_GT(*life("shop").next_run_at, clock_.now());
}

TEST_F(JobDriverTicksTest, DoesNotMakeUpForAPause) {
  adopt({job("shop", "10m")});
  ASSERT_TRUE(is_worked_on("shop"));
  office_->finish("shop", RunState::completed);
  ASSERT_TRUE(comes_to("shop", JobState::scheduled));
  ASSERT_TRUE(act("shop", JobAction::pause));
  advance(5h);
  ASSERT_TRUE(act("shop", JobAction::resume));
  EXPECT_GT(*life("shop").next_run_at, clock_.now());
}

TEST_F(JobDriverTicksTest, KeepsTheTicksOfARunningJobWhenFilesAreTakenUp) {
  Job impatient = job("shop", "10m");
  impatient.overlap = Overlap::replace;
  adopt({impatient});
  ASSERT_TRUE(is_worked_on("shop"));
  adopt({impatient, job("new")});
  advance(11min);
  ASSERT_TRUE(run_until([&] { return office_->begun_runs.size() == 2; }));
}

TEST_F(JobDriverTicksTest, QueuesOneRunBehindTheFormerWhenAsked) {
  Job queued = job("shop", "10m");
  queued.overlap = Overlap::queue;
  adopt({queued});
  ASSERT_TRUE(is_worked_on("shop"));
  advance(25min);
  ASSERT_TRUE(run_until([&] { return !office_->under_way.empty(); }));
  loop_->restart();
  loop_->run_for(50ms);
  office_->finish("shop", RunState::completed);
  ASSERT_TRUE(run_until([&] { return office_->begun_runs.size() == 2; }));
  ASSERT_TRUE(is_worked_on("shop"));
}

TEST_F(JobDriverTicksTest, ReplacesTheFormerRunWhenAsked) {
  Job impatient = job("shop", "10m");
  impatient.overlap = Overlap::replace;
  adopt({impatient});
  ASSERT_TRUE(is_worked_on("shop"));
  advance(11min);
  ASSERT_TRUE(run_until([&] { return office_->begun_runs.size() == 2; }));
  const auto former = drive(store_->find_run(office_->begun_runs.front().id));
  EXPECT_EQ((*former)->state, RunState::cancelled);
}

TEST_F(JobDriverTicksTest, StartsJobsThatWaitForOthers) {
  Job second = job("second");
  second.after = {{JobId{"first"}, TriggerOn::completed}};
  Job alarm = job("alarm");
  alarm.after = {{JobId{"first"}, TriggerOn::failed}};
  adopt({job("first"), second, alarm});
  ASSERT_TRUE(act("first", JobAction::trigger));
  ASSERT_TRUE(is_worked_on("first"));
  office_->finish("first", RunState::completed);
  ASSERT_TRUE(is_worked_on("second"));
  EXPECT_EQ(office_->begun_runs.back().trigger, "after");
  EXPECT_FALSE(office_->works_on("alarm"));
}

TEST_F(JobDriverTicksTest, RunsNoMoreJobsAtATimeThanAllowed) {
  go_down();
  rules_.runs_in_parallel = 2;
  come_up();
  begin_keeping_time();
  adopt({job("a", "10m"), job("b", "10m"), job("c", "10m")});
  ASSERT_TRUE(run_until([&] { return office_->under_way.size() == 2; }));
  loop_->restart();
  loop_->run_for(50ms);
  EXPECT_EQ(office_->under_way.size(), 2u);
  for (const char* each : {"a", "b", "c"}) office_->finish(each, RunState::completed);
  ASSERT_TRUE(run_until([&] { return office_->begun_runs.size() == 3; }));
}

TEST_F(JobDriverTicksTest, FillsNewPlacesAtOnceWhenMoreRunsAreAllowed) {
  go_down();
  rules_.runs_in_parallel = 1;
  come_up();
  begin_keeping_time();
  adopt({job("a", "10m"), job("b", "10m"), job("c", "10m")});
  ASSERT_TRUE(run_until([&] { return office_->under_way.size() == 1; }));
  DriverRules more = rules_;
  more.runs_in_parallel = 3;
  driver_->set_rules(more);
  ASSERT_TRUE(run_until([&] { return office_->under_way.size() == 3; }));
}

TEST_F(JobDriverTicksTest, MakesUpForMissedRunsOnceAfterARestart) {
  adopt({job("shop", "10m")});
  ASSERT_TRUE(is_worked_on("shop"));
  office_->finish("shop", RunState::completed);
  ASSERT_TRUE(comes_to("shop", JobState::scheduled));
  go_down();
  clock_.advance(5h);
  come_up();
  adopt({job("shop", "10m")});
  begin_keeping_time();
  ASSERT_TRUE(is_worked_on("shop"));
  office_->finish("shop", RunState::completed);
  ASSERT_TRUE(comes_to("shop", JobState::scheduled));
  EXPECT_EQ(office_->begun_runs.size(), 1u);
}

}  // namespace
}  // namespace heddle::hub
