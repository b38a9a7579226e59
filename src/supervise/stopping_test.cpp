// Requested stops, replacements and shutdown.
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
  void stop(SlotId slot, std::chrono::milliseconds timeout) {
    supervisor_->request_stop(slot, SteadyClock::now() + timeout);
  }
};

TEST_F(Stopping, IsNeverACrash) {
  const SlotId asked = start(recovering({"serve"}));
  const SlotId terminated = start(recovering({"attach", "ready", "hang"}));
  const SlotId failing = start(recovering({"attach-asking", "ready", "until-asked", "exit=3"}));
  SlotSpec stranger = recovering({});
  stranger.argv = {"/bin/sleep", "1000"};
  const SlotId unattached = start(stranger);
  ASSERT_TRUE(wait_for(SlotEventKind::ready, 3));
  for (const SlotId slot : {asked, terminated, failing, unattached}) stop(slot, 20s);
  ASSERT_TRUE(wait_for_deaths(4));
  EXPECT_EQ(count(SlotEventKind::normal_exit), 4u);
  EXPECT_EQ(count(SlotEventKind::started), 4u);
  for (const SlotId slot : {asked, terminated, failing, unattached})
    EXPECT_EQ(status(slot).state, SlotState::stopped);
}

TEST_F(Stopping, KillsAtTheDeadlineWithoutReportingACrash) {
  const SlotId slot = start(recovering({"attach-asking", "ready", "hang"}));
  ASSERT_TRUE(wait_for(SlotEventKind::ready));
  const auto begin = SteadyClock::now();
  stop(slot, 100ms);
  const SlotEvent event = death();
  EXPECT_GE(death_time_ - begin, 100ms);
  EXPECT_LT(death_time_ - begin, 1100ms);
  EXPECT_EQ(event.kind, SlotEventKind::normal_exit);
  EXPECT_THAT(event.detail, HasSubstr("did not exit in time"));
  EXPECT_EQ(status(slot).state, SlotState::stopped);
}

TEST_F(Stopping, ReportsACrashWhileDraining) {
  const SlotId slot = start(recovering({"slow-drain=100000", "serve"}));
  ASSERT_TRUE(wait_for(SlotEventKind::ready));
  stop(slot, 100s);
  ASSERT_TRUE(wait_for(SlotEventKind::draining));
  kill_current(slot, SIGUSR1);  // not caught by sanitizers
  EXPECT_EQ(death().kind, SlotEventKind::crash);
  EXPECT_EQ(status(slot).state, SlotState::stopped);
  EXPECT_EQ(count(SlotEventKind::started), 1u);
}

TEST_F(Stopping, AppliesTheDeadlineAndNotTheWatchdogWhileDraining) {
  SlotSpec wanted = spec({"attach-asking", "ready", "until-asked", "sleep=400", "exit=0"});
  wanted.hang_timeout = 10s;
  const SlotId slot = start(wanted);
  ASSERT_TRUE(wait_for(SlotEventKind::ready));
  stop(slot, 20s);
  EXPECT_EQ(death().exit_code, 0);
}

TEST_F(Stopping, AllowsASlotToBeStartedAgain) {
  const SlotId slot = start(recovering({"serve"}));
  ASSERT_TRUE(wait_for(SlotEventKind::ready));
  EXPECT_FALSE(supervisor_->start(slot)) << "it has a process";
  EXPECT_FALSE(supervisor_->remove(slot));
  stop(slot, 20s);
  ASSERT_TRUE(wait_for_deaths());
  ASSERT_TRUE(supervisor_->start(slot));
  ASSERT_TRUE(wait_for(SlotEventKind::ready, 2));
  EXPECT_EQ(status(slot).slot.occurrence, 1u);
  stop(slot, 20s);
  ASSERT_TRUE(wait_for_deaths(2));
  EXPECT_TRUE(supervisor_->remove(slot));
  EXPECT_TRUE(supervisor_->status().empty());
}

class Replacing : public Stopping {};

TEST_F(Replacing, StartsTheNewProcessBeforeTheOldOneExits) {
  SlotSpec wanted = recovering({"slow-drain=50", "serve"});
  wanted.may_overlap = true;
  const SlotId slot = start(wanted);
  ASSERT_TRUE(wait_for(SlotEventKind::ready));
  const pid_t before = status(slot).pid;
  ASSERT_TRUE(supervisor_->replace(slot));
  ASSERT_TRUE(supervisor_->replace(slot)) << "twice is once";
  ASSERT_TRUE(wait_for_deaths());
  EXPECT_THAT(ready_, ElementsAre(SlotRef{slot, 0}, SlotRef{slot, 1}));
  EXPECT_EQ(last(SlotEventKind::normal_exit).pid, before);
  EXPECT_EQ(last(SlotEventKind::normal_exit).slot.occurrence, 0u);
  EXPECT_EQ(events_.back().kind, SlotEventKind::normal_exit) << "the new one was ready first";
  EXPECT_EQ(status(slot).state, SlotState::ready);
  EXPECT_FALSE(status(slot).is_being_replaced);
  EXPECT_EQ(status(slot).restarts_in_window, 0u) << "that is no restart";
}

TEST_F(Replacing, LetsTheOldProcessFinishItsWork) {
  SlotSpec wanted = recovering({"slow-drain=300", "serve"});
  wanted.may_overlap = true;
  const SlotId slot = start(wanted);
  ASSERT_TRUE(wait_for(SlotEventKind::ready));
  ASSERT_TRUE(supervisor_->replace(slot));
  ASSERT_TRUE(wait_for(SlotEventKind::draining));
  supervisor_->channel({slot, 0})->post({20, 1, "old"});
  supervisor_->channel({slot, 1})->post({20, 2, "new"});
  ASSERT_TRUE(run_until([&] { return frames_.size() == 2; }));
  ASSERT_TRUE(wait_for_deaths());
  EXPECT_EQ(supervisor_->channel({slot, 0}), nullptr);
  EXPECT_NE(supervisor_->channel({slot, 1}), nullptr);
}

TEST_F(Replacing, KeepsTheOldProcessWhenTheNewOneDoesNotBecomeReady) {
  const heddle::testing::TemporaryFolder folder;
  SlotSpec wanted = recovering({});
  wanted.argv = {"/bin/sh", "-c", "test $HEDDLE_STARTS = 1 && exit 9; exec " HEDDLE_CHILD " serve"};
  wanted.may_overlap = true;
  const SlotId slot = start(wanted);
  ASSERT_TRUE(wait_for(SlotEventKind::ready));
  ASSERT_TRUE(supervisor_->replace(slot));
  EXPECT_EQ(death().exit_code, 9);
  EXPECT_EQ(status(slot).slot.occurrence, 0u);
  EXPECT_EQ(status(slot).state, SlotState::ready);
  EXPECT_EQ(count(SlotEventKind::started), 2u);
  ASSERT_TRUE(supervisor_->replace(slot));
  ASSERT_TRUE(wait_for(SlotEventKind::ready, 2));
  EXPECT_EQ(status(slot).slot.occurrence, 2u);
}

TEST_F(Replacing, NeedsNoRespawnWhenTheOldProcessDies) {
  SlotSpec wanted = recovering({"serve"});
  wanted.may_overlap = true;
  const SlotId slot = start(wanted);
  ASSERT_TRUE(wait_for(SlotEventKind::ready));
  kill_current(slot, SIGKILL);
  ASSERT_TRUE(supervisor_->replace(slot));
  ASSERT_TRUE(wait_for(SlotEventKind::ready, 2));
  ASSERT_TRUE(wait_for_deaths());
  run_for(50ms);
  EXPECT_EQ(count(SlotEventKind::started), 2u);
  EXPECT_EQ(status(slot).slot.occurrence, 1u);
}

TEST_F(Replacing, WaitsForTheOldProcessToExitWithoutOverlap) {
  const SlotId slot = start(recovering({"serve"}));
  ASSERT_TRUE(wait_for(SlotEventKind::ready));
  ASSERT_TRUE(supervisor_->replace(slot));
  ASSERT_TRUE(wait_for(SlotEventKind::ready, 2));
  std::vector<SlotEventKind> kinds;
  for (const SlotEvent& event : events_)
    if (event.kind != SlotEventKind::draining) kinds.push_back(event.kind);
  EXPECT_THAT(kinds,
              ElementsAre(SlotEventKind::started, SlotEventKind::ready, SlotEventKind::normal_exit,
                          SlotEventKind::started, SlotEventKind::ready));
}

TEST_F(Replacing, IsCancelledWhenTheSlotIsStopped) {
  SlotSpec wanted = recovering({"slow-drain=100000", "serve"});
  const SlotId slot = start(wanted);
  ASSERT_TRUE(wait_for(SlotEventKind::ready));
  ASSERT_TRUE(supervisor_->replace(slot));
  stop(slot, 50ms);
  ASSERT_TRUE(wait_for_deaths());
  EXPECT_EQ(status(slot).state, SlotState::stopped);
}

TEST_F(Replacing, HappensByAge) {
  SlotSpec wanted = recovering({"serve"});
  wanted.may_overlap = true;
  wanted.hang_timeout = 400ms;  // short, for frequent checks
  wanted.recycle.after = 300ms;
  const SlotId slot = start(wanted);
  ASSERT_TRUE(wait_for(SlotEventKind::normal_exit));
  EXPECT_GE(last(SlotEventKind::normal_exit).uptime, 300ms);
  EXPECT_EQ(status(slot).slot.occurrence, 1u);
  EXPECT_EQ(count(SlotEventKind::crash), 0u);
}

TEST_F(Replacing, IsLoggedWithTheNameOfTheSlotAndTheReason) {
  SlotSpec wanted = recovering({"serve"});
  wanted.name = "worker 1";
  wanted.number = 1;
  wanted.may_overlap = true;
  wanted.hang_timeout = 400ms;
  wanted.recycle.after = 300ms;
  start(wanted);
  ASSERT_TRUE(wait_for(SlotEventKind::normal_exit));
  EXPECT_THAT(log_.all_lines(),
              ::testing::Contains(::testing::StartsWith("worker 1 is replaced: it is ")));
}

TEST_F(Replacing, HappensByGrowthOfMemory) {
  const heddle::testing::TemporaryFolder folder;
  const auto file = folder.path() / "grow";
  SlotSpec wanted = recovering({"first=grow-at=" + file.string(), "serve"});
  wanted.may_overlap = true;
  wanted.hang_timeout = 400ms;
  wanted.recycle.rss_bytes = 8 << 20;
  start(wanted);
  ASSERT_TRUE(wait_for(SlotEventKind::ready));
  EXPECT_EQ(count(SlotEventKind::normal_exit), 0u);
  std::ofstream(file).put('x');
  ASSERT_TRUE(wait_for(SlotEventKind::normal_exit));
  EXPECT_EQ(count(SlotEventKind::crash), 0u);
}

TEST_F(Replacing, HandlesOneSlotAtATime) {
  SlotSpec wanted = recovering({"slow-drain=100", "serve"});
  wanted.may_overlap = true;
  wanted.hang_timeout = 400ms;
  wanted.recycle.after = 200ms;
  for (int i = 0; i < 3; ++i) start(wanted);
  std::size_t most_replaced = 0;
  ASSERT_TRUE(run_until([&] {
    std::size_t now = 0;
    for (const SlotStatus& slot : supervisor_->status()) now += slot.is_being_replaced ? 1 : 0;
    most_replaced = std::max(most_replaced, now);
    return count(SlotEventKind::normal_exit) >= 3;
  }));
  EXPECT_EQ(most_replaced, 1u);
}

class Shutdown : public Stopping {};

TEST_F(Shutdown, ReturnsAsSoonAsAllProcessesHaveExited) {
  for (int i = 0; i < 3; ++i) start(recovering({"serve"}));
  ASSERT_TRUE(wait_for(SlotEventKind::ready, 3));
  const auto begin = SteadyClock::now();
  EXPECT_TRUE(shut_down(60s).killed.empty());
  EXPECT_LT(SteadyClock::now() - begin, 20s);
  EXPECT_EQ(count(SlotEventKind::normal_exit), 3u);
  EXPECT_FALSE(supervisor_->start(0)) << "nothing starts any more";
}

TEST_F(Shutdown, NamesTheKilledProcessesAndIsNotDelayedByThem) {
  start(recovering({"serve"}));
  const SlotId stuck = start(recovering({"attach-asking", "ready", "hang"}));
  const SlotId stopped = start(recovering({"serve"}));
  ASSERT_TRUE(wait_for(SlotEventKind::ready, 3));
  const pid_t stuck_pid = status(stuck).pid;
  kill_current(stopped, SIGSTOP);
  const auto begin = SteadyClock::now();
  const StopReport report = shut_down(300ms);
  EXPECT_LT(SteadyClock::now() - begin, 300ms + 2s);
  ASSERT_EQ(report.killed.size(), 2u);
  EXPECT_EQ(report.killed[0].pid, stuck_pid);
  EXPECT_EQ(report.killed[0].name, "worker");
  EXPECT_TRUE(report.killed[0].is_gone);
  EXPECT_EQ(report.killed[1].slot.slot, stopped);
  EXPECT_EQ(count(SlotEventKind::crash), 0u);
}

TEST_F(Shutdown, CanBeShortened) {
  start(recovering({"attach-asking", "ready", "hang"}));
  ASSERT_TRUE(wait_for(SlotEventKind::ready));
  supervisor_->begin_shutdown(SteadyClock::now() + 1h);
  EXPECT_EQ(shut_down(50ms).killed.size(), 1u);
}

TEST_F(Shutdown, CannotBeProlonged) {
  start(recovering({"attach-asking", "ready", "hang"}));
  ASSERT_TRUE(wait_for(SlotEventKind::ready));
  supervisor_->begin_shutdown(SteadyClock::now() + 50ms);
  EXPECT_EQ(shut_down(1h).killed.size(), 1u);
}

TEST_F(Shutdown, HasNothingToDoWithoutProcesses) {
  supervisor_->add(spec({"serve"}));
  EXPECT_TRUE(shut_down(1h).killed.empty());
}

TEST_F(Shutdown, DoesNotRespawnCrashedProcesses) {
  const SlotId slot = start(recovering({"slow-drain=100000", "serve"}));
  ASSERT_TRUE(wait_for(SlotEventKind::ready));
  supervisor_->begin_shutdown(SteadyClock::now() + 100s);
  ASSERT_TRUE(wait_for(SlotEventKind::draining));
  kill_current(slot, SIGKILL);
  EXPECT_TRUE(shut_down(100s).killed.empty());
  EXPECT_EQ(count(SlotEventKind::crash), 1u);
  EXPECT_EQ(count(SlotEventKind::started), 1u);
}

TEST_F(Shutdown, ByDestructionLeavesNoProcessBehind) {
  const SlotId slot = start(recovering({"attach-asking", "ready", "hang"}));
  ASSERT_TRUE(wait_for(SlotEventKind::ready));
  const pid_t pid = status(slot).pid;
  supervisor_.reset();
  EXPECT_TRUE(run_until([pid] { return !heddle::testing::is_alive(pid); }));
  EXPECT_EQ(deaths(), 0u) << "no handler is called any more";
}

}  // namespace
}  // namespace heddle::supervise
