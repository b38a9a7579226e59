// How processes leave because somebody wants them to, and what replaces them.
#include <fstream>

#include <gmock/gmock.h>

#include "supervise/supervisor_for_test.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::supervise {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Stopping : public SupervisorFixture {
 protected:
  static SlotSpec recovering(std::vector<std::string> actions) {
    SlotSpec wanted = spec(std::move(actions));
    wanted.recover = true;
    return wanted;
  }
  void stop(SlotId slot, std::chrono::milliseconds patience) {
    supervisor_->request_stop(slot, SteadyClock::now() + patience);
  }
};

TEST_F(Stopping, IsNeverACrash) {
  const SlotId asked = start(recovering({"serve"}));
  const SlotId terminated = start(recovering({"attach", "ready", "hang"}));
  const SlotId failing = start(recovering({"attach-asking", "ready", "until-asked", "exit=3"}));
  SlotSpec stranger = recovering({});
  stranger.argv = {"/bin/sleep", "1000"};
  const SlotId unattached = start(stranger);
  ASSERT_TRUE(wait_for(EventKind::ready, 3));
  for (const SlotId slot : {asked, terminated, failing, unattached}) stop(slot, 20s);
  ASSERT_TRUE(wait_for_deaths(4));
  EXPECT_EQ(count(EventKind::normal_exit), 4u);
  EXPECT_EQ(count(EventKind::started), 4u);
  for (const SlotId slot : {asked, terminated, failing, unattached})
    EXPECT_EQ(status(slot).state, SlotState::stopped);
}

TEST_F(Stopping, KillsWhoDoesNotLeaveInTimeWithoutCallingItACrash) {
  const SlotId slot = start(recovering({"attach-asking", "ready", "hang"}));
  ASSERT_TRUE(wait_for(EventKind::ready));
  const auto begin = SteadyClock::now();
  stop(slot, 100ms);
  const ProcessEvent event = death();
  EXPECT_GE(death_time_ - begin, 100ms);
  EXPECT_LT(death_time_ - begin, 1100ms);
  EXPECT_EQ(event.kind, EventKind::normal_exit);
  EXPECT_THAT(event.detail, HasSubstr("did not leave in time"));
  EXPECT_EQ(status(slot).state, SlotState::stopped);
}

TEST_F(Stopping, StillTellsACrashOnTheWayOut) {
  const SlotId slot = start(recovering({"slow-drain=100000", "serve"}));
  ASSERT_TRUE(wait_for(EventKind::ready));
  stop(slot, 100s);
  ASSERT_TRUE(wait_for(EventKind::draining));
  kill_current(slot, SIGUSR1);  // not one that a sanitizer catches
  EXPECT_EQ(death().kind, EventKind::crash);
  EXPECT_EQ(status(slot).state, SlotState::stopped);
  EXPECT_EQ(count(EventKind::started), 1u);
}

TEST_F(Stopping, LeavesWhoIsDrainingToTheDeadlineAndNotToTheWatchdog) {
  SlotSpec wanted = spec({"attach-asking", "ready", "until-asked", "sleep=400", "exit=0"});
  wanted.hang_timeout = 10s;
  const SlotId slot = start(wanted);
  ASSERT_TRUE(wait_for(EventKind::ready));
  stop(slot, 20s);
  EXPECT_EQ(death().exit_code, 0);
}

TEST_F(Stopping, TakesASlotThatIsStartedAgain) {
  const SlotId slot = start(recovering({"serve"}));
  ASSERT_TRUE(wait_for(EventKind::ready));
  EXPECT_FALSE(supervisor_->start(slot)) << "it has a process";
  EXPECT_FALSE(supervisor_->forget(slot));
  stop(slot, 20s);
  ASSERT_TRUE(wait_for_deaths());
  ASSERT_TRUE(supervisor_->start(slot));
  ASSERT_TRUE(wait_for(EventKind::ready, 2));
  EXPECT_EQ(status(slot).slot.occurrence, 1u);
  stop(slot, 20s);
  ASSERT_TRUE(wait_for_deaths(2));
  EXPECT_TRUE(supervisor_->forget(slot));
  EXPECT_TRUE(supervisor_->status().empty());
}

class Replacing : public Stopping {};

TEST_F(Replacing, StartsTheNextBeforeTheOldOneLeaves) {
  SlotSpec wanted = recovering({"slow-drain=50", "serve"});
  wanted.may_overlap = true;
  const SlotId slot = start(wanted);
  ASSERT_TRUE(wait_for(EventKind::ready));
  const pid_t before = status(slot).pid;
  ASSERT_TRUE(supervisor_->replace(slot));
  ASSERT_TRUE(supervisor_->replace(slot)) << "twice is once";
  ASSERT_TRUE(wait_for_deaths());
  EXPECT_THAT(ready_, ElementsAre(SlotRef{slot, 0}, SlotRef{slot, 1}));
  EXPECT_EQ(last(EventKind::normal_exit).pid, before);
  EXPECT_EQ(last(EventKind::normal_exit).slot.occurrence, 0u);
  EXPECT_EQ(events_.back().kind, EventKind::normal_exit) << "the new one was ready first";
  EXPECT_EQ(status(slot).state, SlotState::ready);
  EXPECT_FALSE(status(slot).is_being_replaced);
  EXPECT_EQ(status(slot).restarts_in_window, 0u) << "that is no restart";
}

TEST_F(Replacing, LetsTheOldOneFinishItsWork) {
  SlotSpec wanted = recovering({"slow-drain=300", "serve"});
  wanted.may_overlap = true;
  const SlotId slot = start(wanted);
  ASSERT_TRUE(wait_for(EventKind::ready));
  ASSERT_TRUE(supervisor_->replace(slot));
  ASSERT_TRUE(wait_for(EventKind::draining));
  supervisor_->channel({slot, 0})->post({20, 1, "old"});
  supervisor_->channel({slot, 1})->post({20, 2, "new"});
  ASSERT_TRUE(run_until([&] { return frames_.size() == 2; }));
  ASSERT_TRUE(wait_for_deaths());
  EXPECT_EQ(supervisor_->channel({slot, 0}), nullptr);
  EXPECT_NE(supervisor_->channel({slot, 1}), nullptr);
}

TEST_F(Replacing, KeepsTheOldOneWhenTheNewOneDoesNotBecomeReady) {
  const heddle::testing::TemporaryFolder folder;
  SlotSpec wanted = recovering({});
  wanted.argv = {"/bin/sh", "-c",
                 "test $HEDDLE_OCCURRENCE = 1 && exit 9; exec " HEDDLE_CHILD " serve"};
  wanted.may_overlap = true;
  const SlotId slot = start(wanted);
  ASSERT_TRUE(wait_for(EventKind::ready));
  ASSERT_TRUE(supervisor_->replace(slot));
  EXPECT_EQ(death().exit_code, 9);
  EXPECT_EQ(status(slot).slot.occurrence, 0u);
  EXPECT_EQ(status(slot).state, SlotState::ready);
  EXPECT_EQ(count(EventKind::started), 2u);
  ASSERT_TRUE(supervisor_->replace(slot));
  ASSERT_TRUE(wait_for(EventKind::ready, 2));
  EXPECT_EQ(status(slot).slot.occurrence, 2u);
}

TEST_F(Replacing, NeedsNoRespawnWhenTheOldOneDiesMeanwhile) {
  SlotSpec wanted = recovering({"serve"});
  wanted.may_overlap = true;
  const SlotId slot = start(wanted);
  ASSERT_TRUE(wait_for(EventKind::ready));
  kill_current(slot, SIGKILL);
  ASSERT_TRUE(supervisor_->replace(slot));
  ASSERT_TRUE(wait_for(EventKind::ready, 2));
  ASSERT_TRUE(wait_for_deaths());
  run_for(50ms);
  EXPECT_EQ(count(EventKind::started), 2u);
  EXPECT_EQ(status(slot).slot.occurrence, 1u);
}

TEST_F(Replacing, WaitsForTheOldOneToLeaveWhenTheyCannotBeThereTogether) {
  const SlotId slot = start(recovering({"serve"}));
  ASSERT_TRUE(wait_for(EventKind::ready));
  ASSERT_TRUE(supervisor_->replace(slot));
  ASSERT_TRUE(wait_for(EventKind::ready, 2));
  std::vector<EventKind> kinds;
  for (const ProcessEvent& event : events_)
    if (event.kind != EventKind::draining) kinds.push_back(event.kind);
  EXPECT_THAT(kinds, ElementsAre(EventKind::started, EventKind::ready, EventKind::normal_exit,
                                 EventKind::started, EventKind::ready));
}

TEST_F(Replacing, IsGivenUpWhenTheSlotIsStopped) {
  SlotSpec wanted = recovering({"slow-drain=100000", "serve"});
  const SlotId slot = start(wanted);
  ASSERT_TRUE(wait_for(EventKind::ready));
  ASSERT_TRUE(supervisor_->replace(slot));
  stop(slot, 50ms);
  ASSERT_TRUE(wait_for_deaths());
  EXPECT_EQ(status(slot).state, SlotState::stopped);
}

TEST_F(Replacing, HappensByAge) {
  SlotSpec wanted = recovering({"serve"});
  wanted.may_overlap = true;
  wanted.hang_timeout = 400ms;  // looks often
  wanted.recycle.after = 300ms;
  const SlotId slot = start(wanted);
  ASSERT_TRUE(wait_for(EventKind::normal_exit));
  EXPECT_GE(last(EventKind::normal_exit).uptime, 300ms);
  EXPECT_EQ(status(slot).slot.occurrence, 1u);
  EXPECT_EQ(count(EventKind::crash), 0u);
}

TEST_F(Replacing, IsLoggedWithTheNameOfTheSlotAndTheReason) {
  SlotSpec wanted = recovering({"serve"});
  wanted.name = "worker 1";
  wanted.number = 1;
  wanted.may_overlap = true;
  wanted.hang_timeout = 400ms;
  wanted.recycle.after = 300ms;
  start(wanted);
  ASSERT_TRUE(wait_for(EventKind::normal_exit));
  EXPECT_THAT(log_.all_lines(),
              ::testing::Contains(::testing::StartsWith("worker 1 is replaced: it is ")));
}

TEST_F(Replacing, HappensByMemory) {
  SlotSpec wanted = recovering({"serve"});
  wanted.may_overlap = true;
  wanted.hang_timeout = 400ms;
  wanted.recycle.rss_bytes = 1 << 20;
  start(wanted);
  ASSERT_TRUE(wait_for(EventKind::normal_exit));
  EXPECT_EQ(count(EventKind::crash), 0u);
}

TEST_F(Replacing, GoesOneByOne) {
  SlotSpec wanted = recovering({"slow-drain=100", "serve"});
  wanted.may_overlap = true;
  wanted.hang_timeout = 400ms;
  wanted.recycle.after = 200ms;
  for (int i = 0; i < 3; ++i) start(wanted);
  std::size_t at_once = 0;
  ASSERT_TRUE(run_until([&] {
    std::size_t now = 0;
    for (const SlotStatus& slot : supervisor_->status()) now += slot.is_being_replaced ? 1 : 0;
    at_once = std::max(at_once, now);
    return count(EventKind::normal_exit) >= 3;
  }));
  EXPECT_EQ(at_once, 1u);
}

class Shutdown : public Stopping {};

TEST_F(Shutdown, ReturnsAsSoonAsEverybodyHasLeft) {
  for (int i = 0; i < 3; ++i) start(recovering({"serve"}));
  ASSERT_TRUE(wait_for(EventKind::ready, 3));
  const auto begin = SteadyClock::now();
  EXPECT_TRUE(shut_down(60s).killed.empty());
  EXPECT_LT(SteadyClock::now() - begin, 20s);
  EXPECT_EQ(count(EventKind::normal_exit), 3u);
  EXPECT_FALSE(supervisor_->start(0)) << "nothing starts any more";
}

TEST_F(Shutdown, NamesWhomItHadToKillAndIsNotDelayedByThem) {
  start(recovering({"serve"}));
  const SlotId stuck = start(recovering({"attach-asking", "ready", "hang"}));
  const SlotId stopped = start(recovering({"serve"}));
  ASSERT_TRUE(wait_for(EventKind::ready, 3));
  const pid_t stuck_pid = status(stuck).pid;
  kill_current(stopped, SIGSTOP);
  const auto begin = SteadyClock::now();
  const ShutdownReport report = shut_down(300ms);
  EXPECT_LT(SteadyClock::now() - begin, 300ms + 2s);
  ASSERT_EQ(report.killed.size(), 2u);
  EXPECT_EQ(report.killed[0].pid, stuck_pid);
  EXPECT_EQ(report.killed[0].name, "worker");
  EXPECT_TRUE(report.killed[0].is_gone);
  EXPECT_EQ(report.killed[1].slot.slot, stopped);
  EXPECT_EQ(count(EventKind::crash), 0u);
}

TEST_F(Shutdown, CanBeShortened) {
  start(recovering({"attach-asking", "ready", "hang"}));
  ASSERT_TRUE(wait_for(EventKind::ready));
  supervisor_->begin_shutdown(SteadyClock::now() + 1h);
  EXPECT_EQ(shut_down(50ms).killed.size(), 1u);
}

TEST_F(Shutdown, CannotBeProlonged) {
  start(recovering({"attach-asking", "ready", "hang"}));
  ASSERT_TRUE(wait_for(EventKind::ready));
  supervisor_->begin_shutdown(SteadyClock::now() + 50ms);
  EXPECT_EQ(shut_down(1h).killed.size(), 1u);
}

TEST_F(Shutdown, HasNothingToDoWithoutProcesses) {
  supervisor_->add(spec({"serve"}));
  EXPECT_TRUE(shut_down(1h).killed.empty());
}

TEST_F(Shutdown, DoesNotRespawnWhoCrashesMeanwhile) {
  const SlotId slot = start(recovering({"slow-drain=100000", "serve"}));
  ASSERT_TRUE(wait_for(EventKind::ready));
  supervisor_->begin_shutdown(SteadyClock::now() + 100s);
  ASSERT_TRUE(wait_for(EventKind::draining));
  kill_current(slot, SIGKILL);
  EXPECT_TRUE(shut_down(100s).killed.empty());
  EXPECT_EQ(count(EventKind::crash), 1u);
  EXPECT_EQ(count(EventKind::started), 1u);
}

TEST_F(Shutdown, ByDestructionLeavesNobodyBehind) {
  const SlotId slot = start(recovering({"attach-asking", "ready", "hang"}));
  ASSERT_TRUE(wait_for(EventKind::ready));
  const pid_t pid = status(slot).pid;
  supervisor_.reset();
  EXPECT_TRUE(run_until([pid] { return !heddle::testing::is_alive(pid); }));
  EXPECT_EQ(deaths(), 0u) << "nobody is told any more";
}

}  // namespace
}  // namespace heddle::supervise
