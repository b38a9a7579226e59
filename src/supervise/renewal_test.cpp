// Processes whose spec has changed under them: each is replaced in the end, whatever comes between.
#include <gmock/gmock.h>

#include "supervise/supervisor_for_test.hpp"

namespace heddle::supervise {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

class Renewal : public SupervisorFixture {
 protected:
  static SlotSpec overlapping(std::vector<std::string> actions = {"serve"}) {
    SlotSpec wanted = spec(std::move(actions));
    wanted.recover = true;
    wanted.may_overlap = true;
    return wanted;
  }
  // Nobody is left but the slot's one process.
  bool has_settled(SlotId slot) {
    return run_until([&] {
      const SlotStatus now = status(slot);
      return now.state == SlotState::ready && !now.is_being_replaced;
    });
  }
};

TEST_F(Renewal, ReplacesTheProcessByOneOfTheNewSpec) {
  const SlotId slot = start(overlapping());
  ASSERT_TRUE(wait_for(EventKind::ready));
  SlotSpec other = overlapping();
  other.name = "renewed";
  supervisor_->renew(slot, other);
  ASSERT_TRUE(wait_for(EventKind::normal_exit));
  EXPECT_EQ(last(EventKind::ready).name, "renewed");
  EXPECT_THAT(ready_, ElementsAre(SlotRef{slot, 0}, SlotRef{slot, 1}));
  EXPECT_EQ(count(EventKind::crash), 0u);
}

TEST_F(Renewal, IsNotNeededForAnUpdate) {
  const SlotId slot = start(overlapping());
  ASSERT_TRUE(wait_for(EventKind::ready));
  const pid_t before = status(slot).pid;
  SlotSpec other = overlapping();
  other.restart = RestartRules{.max_restarts = 0};
  supervisor_->update(slot, other);
  EXPECT_EQ(status(slot).pid, before);
  kill_current(slot, SIGKILL);
  ASSERT_TRUE(wait_for(EventKind::gave_up)) << "the new rules count";
}

TEST_F(Renewal, ThatFollowsAnotherAtOnceEndsWithTheLastSpec) {
  const SlotId slot = start(overlapping());
  ASSERT_TRUE(wait_for(EventKind::ready));
  for (int i = 1; i <= 20; ++i) {
    SlotSpec other = overlapping();
    other.name = "renewed " + std::to_string(i);
    supervisor_->renew(slot, other);
  }
  ASSERT_TRUE(run_until([&] { return ready_.size() == 2; }));
  ASSERT_TRUE(has_settled(slot));
  EXPECT_EQ(status(slot).slot, ready_.back());
  EXPECT_EQ(count(EventKind::started), 3u) << "two renewals for twenty: the rest came meanwhile";
  EXPECT_EQ(deaths(), 2u);
}

TEST_F(Renewal, IsTriedAgainWhenTheNewProcessDiesBeforeItIsReady) {
  const SlotId slot = start(overlapping());
  ASSERT_TRUE(wait_for(EventKind::ready));
  const pid_t before = status(slot).pid;
  supervisor_->renew(slot, overlapping({"attach", "exit=3"}));
  ASSERT_TRUE(wait_for(EventKind::crash));
  EXPECT_EQ(status(slot).pid, before) << "it stays until there is another";
  ASSERT_TRUE(wait_for(EventKind::crash, 2));
  supervisor_->renew(slot, overlapping());
  ASSERT_TRUE(wait_for(EventKind::normal_exit));
  EXPECT_NE(status(slot).pid, before);
}

TEST_F(Renewal, IsDoneByTheRespawnWhenTheOldProcessDiesMeanwhile) {
  const SlotId slot = start(overlapping());
  ASSERT_TRUE(wait_for(EventKind::ready));
  supervisor_->renew(slot, overlapping());
  kill_current(slot, SIGKILL);
  ASSERT_TRUE(wait_for(EventKind::crash));
  ASSERT_TRUE(has_settled(slot));
  EXPECT_THAT(ready_, ElementsAre(SlotRef{slot, 0}, SlotRef{slot, 1}));
}

TEST_F(Renewal, OfAProcessThatIsStartingWaitsUntilItIsReadyAndHidesItFromTheOwner) {
  const SlotId slot = start(overlapping({"sleep=100", "serve"}));
  supervisor_->renew(slot, overlapping());
  ASSERT_TRUE(wait_for(EventKind::ready, 2));
  EXPECT_THAT(ready_, ElementsAre(SlotRef{slot, 1}));
}

TEST_F(Renewal, ThrowsOutdatedSparesAway) {
  auto version = std::make_shared<std::string>("old");
  SlotSpec wanted = overlapping();
  wanted.spare_kind = "worker";
  wanted.version = [version] { return *version; };
  const SlotId slot = start(wanted);
  ASSERT_TRUE(run_until([&] { return !supervisor_->spares().empty(); }));
  const pid_t outdated = supervisor_->spares()[0];
  *version = "new";
  supervisor_->renew(slot, wanted);
  EXPECT_TRUE(run_until([&] { return kill(outdated, 0) != 0; }));
  ASSERT_TRUE(run_until([&] { return !supervisor_->spares().empty(); }));
  EXPECT_NE(status(slot).pid, outdated);
}

TEST_F(Renewal, GivesTheOldProcessMoreTimeThanAReplacement) {
  SlotSpec wanted = overlapping({"slow-drain=400", "serve"});
  wanted.drain_timeout = 1ms;
  const SlotId slot = start(wanted);
  ASSERT_TRUE(wait_for(EventKind::ready));
  supervisor_->renew(slot, wanted);
  ASSERT_TRUE(wait_for(EventKind::normal_exit));
  EXPECT_EQ(last(EventKind::normal_exit).exit_code, 0) << last(EventKind::normal_exit).detail;
}

TEST_F(Renewal, LeavesAnOldProcessThatHangsToTheWatchdog) {
  SlotSpec wanted = overlapping({"attach-asking", "ready", "until-asked", "hang"});
  wanted.hang_timeout = 200ms;
  const SlotId slot = start(spec({"serve"}));
  const SlotId hanging = start(wanted);
  ASSERT_TRUE(wait_for(EventKind::ready, 2));
  supervisor_->renew(hanging, overlapping());
  ASSERT_TRUE(wait_for_deaths());
  EXPECT_EQ(death().signal, SIGKILL);
  EXPECT_EQ(status(slot).state, SlotState::ready);
}

TEST_F(Renewal, ForgetsARetiringSlotOnceItsProcessHasFinished) {
  const SlotId first = start(overlapping());
  SlotSpec wanted = overlapping({"slow-drain=200", "serve"});
  wanted.drain_timeout = 1ms;
  const SlotId second = start(wanted);
  const SlotId never_started = supervisor_->add(overlapping());
  ASSERT_TRUE(wait_for(EventKind::ready, 2));
  supervisor_->retire(second);
  supervisor_->retire(never_started);
  EXPECT_THAT(supervisor_->slots(), ElementsAre(first, second));
  ASSERT_TRUE(wait_for(EventKind::normal_exit));
  EXPECT_EQ(last(EventKind::normal_exit).exit_code, 0);
  EXPECT_TRUE(run_until([&] { return supervisor_->slots().size() == 1; }));
}

TEST_F(Renewal, EndsWithTheShutdown) {
  const SlotId slot = start(overlapping());
  ASSERT_TRUE(wait_for(EventKind::ready));
  supervisor_->renew(slot, overlapping({"attach", "exit=3"}));
  ASSERT_TRUE(wait_for(EventKind::crash));
  EXPECT_TRUE(shut_down(10s).killed.empty());
}

}  // namespace
}  // namespace heddle::supervise
