// Every way a real process can end causes exactly one event.
#include <gmock/gmock.h>

#include "supervise/supervisor_for_test.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::supervise {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

class ProcessDeath : public SupervisorFixture {
 protected:
  // No second event may follow for that process.
  void expect_single_death() {
    shut_down(1s);
    EXPECT_EQ(deaths(), 1u);
  }
};

TEST_F(ProcessDeath, IsOneCrashWithinASecondOfAnExternalKill) {
  const SlotId slot = start({"serve"});
  ASSERT_TRUE(wait_for(SlotEventKind::ready));
  const pid_t pid = status(slot).pid;
  kill_current(slot, SIGKILL);
  const SlotEvent event = death();
  EXPECT_LT(death_time_ - kill_time_, 1s);
  EXPECT_EQ(event.kind, SlotEventKind::crash);
  EXPECT_EQ(event.signal, SIGKILL);
  EXPECT_EQ(event.exit_code, std::nullopt);
  EXPECT_EQ(event.pid, pid);
  EXPECT_EQ(event.name, "worker");
  EXPECT_EQ(event.slot, (SlotRef{slot, 0}));
  EXPECT_THAT(event.detail, HasSubstr("signal 9"));
  EXPECT_GT(event.time, WallTime{});
  expect_single_death();
}

TEST_F(ProcessDeath, IsOneCrashForANonzeroStatus) {
  start({"attach", "ready", "exit=7"});
  const SlotEvent event = death();
  EXPECT_EQ(event.kind, SlotEventKind::crash);
  EXPECT_EQ(event.exit_code, 7);
  EXPECT_EQ(event.signal, std::nullopt);
  expect_single_death();
}

class DeathBySignal : public ProcessDeath, public ::testing::WithParamInterface<int> {};

TEST_P(DeathBySignal, IsOneCrash) {
  start({"attach", "ready", "signal=" + std::to_string(GetParam())});
  const SlotEvent event = death();
  EXPECT_EQ(event.kind, SlotEventKind::crash);
  EXPECT_EQ(event.signal, GetParam());
  expect_single_death();
}

INSTANTIATE_TEST_SUITE_P(Each, DeathBySignal,
                         ::testing::Values(SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGKILL, SIGTERM,
                                           SIGINT, SIGHUP, SIGXCPU));

TEST_F(ProcessDeath, IsUnpublishedWhenItExitsWithZeroWithoutDraining) {
  start({"attach", "ready", "exit=0"});
  const SlotEvent event = death();
  EXPECT_EQ(event.kind, SlotEventKind::unpublished);
  EXPECT_EQ(event.exit_code, 0);
  expect_single_death();
}

TEST_F(ProcessDeath, IsUnpublishedForAProgramThatNeverAttached) {
  SlotSpec plain = spec({});
  plain.argv = {"/bin/true"};
  start(plain);
  EXPECT_EQ(death().kind, SlotEventKind::unpublished);
}

TEST_F(ProcessDeath, IsANormalExitAfterDraining) {
  start({"attach", "ready", "draining", "exit=0"});
  const SlotEvent event = death();
  EXPECT_EQ(event.kind, SlotEventKind::normal_exit);
  EXPECT_EQ(count(SlotEventKind::draining), 1u);
  expect_single_death();
}

TEST_F(ProcessDeath, IsACrashWithoutRespawnWhenItFailsWhileDraining) {
  SlotSpec failing = spec({"attach", "ready", "draining", "exit=7"});
  failing.recover = true;
  const SlotId slot = start(failing);
  EXPECT_EQ(death().kind, SlotEventKind::crash);
  EXPECT_EQ(status(slot).state, SlotState::down);
  expect_single_death();
  EXPECT_EQ(count(SlotEventKind::started), 1u);
}

TEST_F(ProcessDeath, IsACrashWithoutRespawnWhenKilledWhileDraining) {
  SlotSpec draining = spec({"attach", "ready", "draining", "hang"});
  draining.recover = true;
  const SlotId slot = start(draining);
  ASSERT_TRUE(wait_for(SlotEventKind::draining));
  kill_current(slot, SIGKILL);
  EXPECT_EQ(death().kind, SlotEventKind::crash);
  EXPECT_EQ(status(slot).state, SlotState::down);
  expect_single_death();
}

TEST_F(ProcessDeath, FollowsSoonWhenItClosesItsChannelAndKeepsRunning) {
  start({"attach", "ready", "close-channel", "hang"});
  ASSERT_TRUE(wait_for(SlotEventKind::started));
  const auto begin = SteadyClock::now();
  const SlotEvent event = death();
  EXPECT_EQ(event.kind, SlotEventKind::unpublished);
  EXPECT_EQ(event.signal, SIGKILL);
  EXPECT_THAT(event.detail, HasSubstr("closed its channel"));
  EXPECT_GE(event.uptime, 200ms);
  EXPECT_LT(death_time_ - begin, 1s);
  expect_single_death();
}

TEST_F(ProcessDeath, IsClassifiedByItsStatusWhenItExitsRightAfterClosingItsChannel) {
  start({"attach", "ready", "close-channel", "sleep=50", "exit=7"});
  const SlotEvent event = death();
  EXPECT_EQ(event.kind, SlotEventKind::crash);
  EXPECT_EQ(event.exit_code, 7);
  expect_single_death();
}

TEST_F(ProcessDeath, IsNotForcedAfterDrainingWithoutAChannel) {
  start({"attach", "ready", "draining", "close-channel", "sleep=400", "exit=0"});
  EXPECT_EQ(death().kind, SlotEventKind::normal_exit);
}

TEST_F(ProcessDeath, IsNotForcedWhenAProgramClosesUnknownDescriptors) {
  SlotSpec plain = spec({});
  plain.argv = {"/bin/sh", "-c", "exec 3>&- 4>&-; sleep 0.5; exit 5"};
  start(plain);
  EXPECT_EQ(death().exit_code, 5);
}

TEST_F(ProcessDeath, IsACrashWhenHeartbeatsStop) {
  SlotSpec quiet = spec({"attach", "ready", "hang"});
  quiet.hang_timeout = 150ms;
  start(quiet);
  const SlotEvent event = death();
  EXPECT_EQ(event.kind, SlotEventKind::crash);
  EXPECT_EQ(event.signal, SIGKILL);
  EXPECT_THAT(event.detail, HasSubstr("no heartbeat for 150ms"));
  EXPECT_GE(event.uptime, 150ms);
  expect_single_death();
}

TEST_F(ProcessDeath, IsACrashWhenTheProcessIsStoppedTooLong) {
  SlotSpec beating = spec({"serve"});
  beating.hang_timeout = 400ms;
  const SlotId slot = start(beating);
  ASSERT_TRUE(wait_for(SlotEventKind::ready));
  run_for(800ms);
  ASSERT_EQ(deaths(), 0u) << "it beats";
  kill_current(slot, SIGSTOP);
  EXPECT_EQ(death().kind, SlotEventKind::crash);
  EXPECT_LT(death_time_ - kill_time_, 400ms + 1s);
  expect_single_death();
}

TEST_F(ProcessDeath, FollowsInvalidFrames) {
  const SlotId other = start({"serve"});
  start({"attach", "ready", "garbage", "hang"});
  const SlotEvent event = death();
  EXPECT_EQ(event.kind, SlotEventKind::crash);
  EXPECT_EQ(event.slot.slot, 1u);
  EXPECT_EQ(event.signal, SIGKILL);
  ASSERT_TRUE(run_until([&] { return status(other).state == SlotState::ready; }));
}

class BadControlFrame : public ProcessDeath, public ::testing::WithParamInterface<const char*> {};

TEST_P(BadControlFrame, KillsTheProcessThatSentIt) {
  std::vector<std::string> actions;
  if (std::string(GetParam()) != "frame=16") actions.emplace_back("attach");
  actions.emplace_back(GetParam());
  actions.emplace_back("hang");
  start(spec(actions));
  const SlotEvent event = death();
  EXPECT_EQ(event.kind, SlotEventKind::crash);
  EXPECT_THAT(event.detail,
              ::testing::AnyOf(HasSubstr("frame"), HasSubstr("hello"), HasSubstr("page")));
  EXPECT_TRUE(frames_.empty());
}

// Reserved, unknown, a second hello, draining without its flag, an owner's frame before the hello.
INSTANTIATE_TEST_SUITE_P(Each, BadControlFrame,
                         ::testing::Values("frame=0", "frame=15", "frame=8", "frame=9", "frame=1",
                                           "frame=3", "frame=16"));

TEST_F(ProcessDeath, ReportsWhatItWasWorkingOn) {
  start({"attach", "ready", "work=18446744073709551615", "signal=11"});
  EXPECT_EQ(death().working_on, 18446744073709551615u);
}

TEST_F(ProcessDeath, ComesAfterTheFramesItSent) {
  start({"attach", "ready", "frame=16", "frame=17", "frame=18", "exit=1"});
  ASSERT_TRUE(wait_for_deaths());
  ASSERT_EQ(frames_.size(), 3u);
  EXPECT_EQ(frames_[0].second.type, 16);
  EXPECT_EQ(frames_[2].second.type, 18);
}

TEST_F(ProcessDeath, OfAnOlderOccurrenceDoesNotAffectTheNext) {
  const heddle::testing::TemporaryFolder folder;
  const auto file = folder.path() / "now";
  SlotSpec wanted = spec(
      {"attach", "ready", "first=late-report=" + file.string(), "first=exit=7", "beat-forever"});
  wanted.recover = true;
  const SlotId slot = start(wanted);
  ASSERT_TRUE(wait_for(SlotEventKind::ready, 2));
  folder.write("now", "");
  ASSERT_TRUE(run_until([&] { return std::filesystem::exists(folder.path() / "now.done"); }));
  run_for(50ms);
  EXPECT_EQ(status(slot).state, SlotState::ready);
  EXPECT_EQ(count(SlotEventKind::draining), 0u);
  kill_current(slot, SIGKILL);
  ASSERT_TRUE(wait_for_deaths(2));
  EXPECT_EQ(last(SlotEventKind::crash).slot.occurrence, 1u);
  EXPECT_TRUE(wait_for(SlotEventKind::ready, 3)) << "it was not draining";
}

}  // namespace
}  // namespace heddle::supervise
