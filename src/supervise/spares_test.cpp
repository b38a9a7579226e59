// Spare processes, started before they are needed.
#include <gmock/gmock.h>

#include "supervise/supervisor_for_test.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::supervise {
namespace {

using namespace std::chrono_literals;

class SpareProcess : public SupervisorFixture {
 protected:
  static SlotSpec with_spare(std::vector<std::string> actions = {"serve"}) {
    SlotSpec wanted = spec(std::move(actions));
    wanted.recover = true;
    wanted.spare_kind = "worker";
    return wanted;
  }
  pid_t wait_for_spare() {
    EXPECT_TRUE(run_until([&] { return !supervisor_->spares().empty(); }));
    return supervisor_->spares().empty() ? 0 : supervisor_->spares()[0];
  }
};

TEST_F(SpareProcess, TakesTheSlotOfADeadProcessAndIsFollowedByAnother) {
  const SlotId slot = start(with_spare());
  const pid_t spare = wait_for_spare();
  EXPECT_NE(spare, status(slot).pid);
  kill_current(slot, SIGKILL);
  ASSERT_TRUE(wait_for(SlotEventKind::ready, 2));
  EXPECT_EQ(status(slot).pid, spare);
  EXPECT_EQ(status(slot).slot.occurrence, 1u);
  EXPECT_EQ(last(SlotEventKind::ready).pid, spare);
  EXPECT_EQ(last(SlotEventKind::started).slot, (SlotRef{slot, 1}));
  supervisor_->channel({slot, 1})->post({16, 5, "hello"});
  ASSERT_TRUE(run_until([&] { return frames_.size() == 1; }));
  EXPECT_EQ(frames_[0].first, (SlotRef{slot, 1}));
  EXPECT_NE(wait_for_spare(), spare);
}

TEST_F(SpareProcess, IsSharedByAllSlotsOfItsKind) {
  for (int i = 0; i < 3; ++i) start(with_spare());
  ASSERT_TRUE(wait_for(SlotEventKind::ready, 3));
  wait_for_spare();
  EXPECT_EQ(supervisor_->spares().size(), 1u);
  kill_current(0, SIGKILL);
  kill_current(1, SIGKILL);
  ASSERT_TRUE(wait_for(SlotEventKind::ready, 5)) << "one took the spare, the other started anew";
}

TEST_F(SpareProcess, IsReplacedSilentlyWhenItDies) {
  start(with_spare());
  const pid_t spare = wait_for_spare();
  kill(spare, SIGKILL);
  ASSERT_TRUE(run_until(
      [&] { return !supervisor_->spares().empty() && supervisor_->spares()[0] != spare; }));
  EXPECT_EQ(deaths(), 0u);
  EXPECT_EQ(count(SlotEventKind::started), 1u);
}

TEST_F(SpareProcess, ThatKeepsDyingIsStartedWithBackoff) {
  SlotSpec wanted = with_spare();
  const SlotId slot = start(wanted);
  std::vector<SteadyClock::time_point> arrivals;
  for (int i = 0; i < 3; ++i) {
    kill(wait_for_spare(), SIGKILL);
    arrivals.push_back(SteadyClock::now());
    ASSERT_TRUE(run_until([&] { return supervisor_->spares().empty(); }));
  }
  wait_for_spare();
  EXPECT_GE(arrivals[1] - arrivals[0], 1s);
  EXPECT_GE(arrivals[2] - arrivals[1], 2s);
  EXPECT_GE(SteadyClock::now() - arrivals[2], 4s);
  EXPECT_EQ(status(slot).restarts_in_window, 0u);
}

TEST_F(SpareProcess, ThatHangsWhileItStartsIsReplaced) {
  const heddle::testing::TemporaryFolder folder;
  const auto mark = folder.path() / "hung";
  SlotSpec wanted = with_spare({"hang-as-first-spare=" + mark.string(), "serve"});
  wanted.hang_timeout = 400ms;
  start(wanted);
  EXPECT_NE(wait_for_spare(), 0);
  EXPECT_TRUE(std::filesystem::exists(mark));
  EXPECT_EQ(deaths(), 0u);
}

TEST_F(SpareProcess, ThatIsOutdatedIsNotUsed) {
  auto version = std::make_shared<std::string>("old");
  SlotSpec wanted = with_spare();
  wanted.version = [version] { return *version; };
  const SlotId slot = start(wanted);
  const pid_t outdated = wait_for_spare();
  *version = "new";
  kill_current(slot, SIGKILL);
  ASSERT_TRUE(wait_for(SlotEventKind::ready, 2));
  EXPECT_NE(status(slot).pid, outdated);
  const pid_t spare = wait_for_spare();
  EXPECT_NE(spare, outdated);
  EXPECT_TRUE(run_until([&] { return kill(outdated, 0) != 0; })) << "it is gone";
  kill_current(slot, SIGKILL);
  ASSERT_TRUE(wait_for(SlotEventKind::ready, 3));
  EXPECT_EQ(status(slot).pid, spare) << "the next one is up to date";
  EXPECT_EQ(deaths(), 2u);
}

TEST_F(SpareProcess, ThatDiesInItsSlotIsACrash) {
  const SlotId slot = start(with_spare());
  const pid_t spare = wait_for_spare();
  kill_current(slot, SIGKILL);
  ASSERT_TRUE(wait_for(SlotEventKind::ready, 2));
  ASSERT_EQ(status(slot).pid, spare);
  kill(spare, SIGUSR1);  // not caught by sanitizers
  ASSERT_TRUE(wait_for(SlotEventKind::ready, 3));
  EXPECT_EQ(last(SlotEventKind::crash).slot.occurrence, 1u);
  EXPECT_EQ(last(SlotEventKind::crash).signal, SIGUSR1);
}

TEST_F(SpareProcess, IsUsedForReplacements) {
  SlotSpec wanted = with_spare();
  wanted.may_overlap = true;
  const SlotId slot = start(wanted);
  const pid_t spare = wait_for_spare();
  ASSERT_TRUE(supervisor_->replace(slot));
  ASSERT_TRUE(wait_for(SlotEventKind::normal_exit));
  EXPECT_EQ(status(slot).pid, spare);
}

TEST_F(SpareProcess, DoesNotDelayShutdown) {
  start(with_spare());
  wait_for_spare();
  const auto begin = SteadyClock::now();
  EXPECT_TRUE(shut_down(60s).killed.empty());
  EXPECT_LT(SteadyClock::now() - begin, 20s);
  EXPECT_TRUE(supervisor_->spares().empty());
  EXPECT_EQ(deaths(), 1u) << "a spare has no slot to be missed in";
}

TEST_F(SpareProcess, WorksWithoutAnEventLoopInTheProcess) {
  const SlotId slot = start(with_spare({"attach-asking", "ready", "beat-forever"}));
  const pid_t spare = wait_for_spare();
  kill_current(slot, SIGKILL);
  ASSERT_TRUE(wait_for(SlotEventKind::ready, 2));
  EXPECT_EQ(status(slot).pid, spare);
}

TEST_F(SpareProcess, IsWatchedFromItsAssignmentOn) {
  SlotSpec wanted = with_spare();
  wanted.hang_timeout = 400ms;
  const SlotId slot = start(wanted);
  const pid_t spare = wait_for_spare();
  kill_current(slot, SIGKILL);
  ASSERT_TRUE(wait_for(SlotEventKind::ready, 2));
  ASSERT_EQ(status(slot).pid, spare);
  kill(spare, SIGSTOP);
  ASSERT_TRUE(wait_for(SlotEventKind::crash, 2));
  EXPECT_THAT(last(SlotEventKind::crash).detail, ::testing::HasSubstr("no heartbeat"));
}

}  // namespace
}  // namespace heddle::supervise
