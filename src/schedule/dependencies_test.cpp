#include "schedule/dependencies.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/clock_watch.hpp"
#include "schedule/overlap_policy.hpp"

namespace heddle::schedule {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

JobId id(std::string text) {
  return JobId{std::move(text)};
}

TEST(Dependencies, TriggerJobsByTheirCondition) {
  Dependencies jobs;
  jobs.set(id("good"), {{id("first")}});
  jobs.set(id("bad"), {{id("first"), TriggerOn::failed}});
  jobs.set(id("any"), {{id("first"), TriggerOn::finished}});
  jobs.set(id("other"), {{id("second")}});
  EXPECT_THAT(jobs.jobs_triggered_by(id("first"), RunState::completed),
              ElementsAre(id("any"), id("good")));
  EXPECT_THAT(jobs.jobs_triggered_by(id("first"), RunState::failed),
              ElementsAre(id("any"), id("bad")));
  EXPECT_THAT(jobs.jobs_triggered_by(id("good"), RunState::completed), IsEmpty());
}

TEST(Dependencies, TriggerNothingAfterARunThatWasCancelledOrStopped) {
  Dependencies jobs;
  jobs.set(id("any"), {{id("first"), TriggerOn::finished}});
  jobs.set(id("good"), {{id("first")}});
  EXPECT_THAT(jobs.jobs_triggered_by(id("first"), RunState::cancelled), IsEmpty());
  EXPECT_THAT(jobs.jobs_triggered_by(id("first"), RunState::stopped), IsEmpty());
  EXPECT_THAT(jobs.jobs_triggered_by(id("first"), RunState::limited),
              ElementsAre(id("any"), id("good")));
}

TEST(Dependencies, TriggerAJobOnceWhenItIsListedTwice) {
  Dependencies jobs;
  jobs.set(id("a"), {{id("b")}, {id("b"), TriggerOn::finished}, {id("c")}});
  EXPECT_THAT(jobs.jobs_triggered_by(id("b"), RunState::completed), ElementsAre(id("a")));
  EXPECT_THAT(jobs.jobs_triggered_by(id("c"), RunState::completed), ElementsAre(id("a")));
}

TEST(Dependencies, ReplaceTheTriggersOfAJob) {
  Dependencies jobs;
  jobs.set(id("a"), {{id("b")}, {id("b"), TriggerOn::failed}});
  jobs.set(id("a"), {{id("c")}});
  EXPECT_THAT(jobs.jobs_triggered_by(id("b"), RunState::completed), IsEmpty());
  EXPECT_THAT(jobs.jobs_triggered_by(id("c"), RunState::completed), ElementsAre(id("a")));
  jobs.set(id("a"), {});
  EXPECT_THAT(jobs.jobs_triggered_by(id("c"), RunState::completed), IsEmpty());
}

TEST(Dependencies, NameTheJobsOfACycle) {
  Dependencies jobs;
  jobs.set(id("start"), {{id("b")}});
  jobs.set(id("a"), {{id("x")}, {id("c")}});
  jobs.set(id("b"), {{id("a")}});
  jobs.set(id("c"), {{id("b")}});
  EXPECT_THAT(jobs.find_cycle(), ElementsAre(id("a"), id("c"), id("b"), id("a")));
  jobs.set(id("c"), {});
  EXPECT_THAT(jobs.find_cycle(), IsEmpty());
}

TEST(Dependencies, FindAJobThatWaitsForItself) {
  Dependencies jobs;
  jobs.set(id("a"), {{id("a")}});
  EXPECT_THAT(jobs.find_cycle(), ElementsAre(id("a"), id("a")));
}

TEST(Dependencies, AcceptTwoPathsToOneJob) {
  Dependencies jobs;
  jobs.set(id("end"), {{id("left")}, {id("right")}});
  jobs.set(id("left"), {{id("start")}});
  jobs.set(id("right"), {{id("start")}});
  EXPECT_THAT(jobs.find_cycle(), IsEmpty());
}

TEST(Dependencies, FollowLongChainsWithoutRecursion) {
  Dependencies jobs;
  constexpr int kJobs = 20'000;
  for (int i = 0; i < kJobs; ++i) jobs.set(id(std::to_string(i)), {{id(std::to_string(i + 1))}});
  EXPECT_THAT(jobs.find_cycle(), IsEmpty());
  jobs.set(id(std::to_string(kJobs)), {{id("0")}});
  EXPECT_EQ(jobs.find_cycle().size(), kJobs + 2u);
}

TEST(OverlapPolicy, StartsWhenThereIsNoRun) {
  for (const OverlapPolicy policy :
       {OverlapPolicy::skip, OverlapPolicy::queue, OverlapPolicy::replace})
    EXPECT_EQ(action_for(policy, RunsNow::none), TickAction::start);
}

TEST(OverlapPolicy, AppliesToARunningRun) {
  EXPECT_EQ(action_for(OverlapPolicy::skip, RunsNow::running), TickAction::skip);
  EXPECT_EQ(action_for(OverlapPolicy::queue, RunsNow::running), TickAction::queue);
  EXPECT_EQ(action_for(OverlapPolicy::replace, RunsNow::running), TickAction::cancel_then_start);
}

TEST(OverlapPolicy, NeverQueuesTwoRunsOfAJob) {
  for (const OverlapPolicy policy :
       {OverlapPolicy::skip, OverlapPolicy::queue, OverlapPolicy::replace})
    for (const RunsNow runs : {RunsNow::waiting, RunsNow::running_and_waiting})
      EXPECT_EQ(action_for(policy, runs), TickAction::skip);
}

TEST(ClockWatch, DetectsAClockJump) {
  ClockWatch watch;
  const WallTime wall(100h);
  const Deadline steady(5h);
  EXPECT_EQ(watch.observe(wall, steady), std::nullopt);
  EXPECT_EQ(watch.observe(wall + 60s, steady + 60s), std::nullopt);
  EXPECT_EQ(watch.observe(wall + 1h, steady + 2min), 58min);
  EXPECT_EQ(watch.observe(wall + 1h + 1min, steady + 3min), std::nullopt);
  EXPECT_EQ(watch.observe(wall + 4min, steady + 4min), -58min);
}

TEST(ClockWatch, AccumulatesDrift) {
  ClockWatch watch(2s);
  WallTime wall(100h);
  Deadline steady(5h);
  int jumps = 0;
  for (int i = 0; i < 60; ++i) {
    jumps += watch.observe(wall, steady) ? 1 : 0;
    wall += 60s + 100ms;
    steady += 60s;
  }
  EXPECT_EQ(jumps, 2);
}

}  // namespace
}  // namespace heddle::schedule
