// Processes whose spec has changed are replaced eventually, also after failures.
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
  // Only the slot's current process is left.
  bool has_settled(SlotId slot) {
    return run_until([&] {
      const SlotStatus now = status(slot);
      return now.state == SlotState::ready && !now.is_being_replaced;
    });
  }
};

TEST_F(Renewal, ReplacesTheProcessWithTheNewSpec) {
  const SlotId slot = start(overlapping());
  ASSERT_TRUE(wait_for(SlotEventKind::ready));
  SlotSpec other = overlapping();
  other.name = "renewed";
  supervisor_->renew(slot, other);
  ASSERT_TRUE(wait_for(SlotEventKind::normal_exit));
  EXPECT_EQ(last(SlotEventKind::ready).name, "renewed");
  EXPECT_THAT(ready_, ElementsAre(SlotRef{slot, 0}, SlotRef{slot, 1}));
  EXPECT_EQ(count(SlotEventKind::crash), 0u);
}

TEST_F(Renewal, DoesNotFollowAnUpdate) {
  const SlotId slot = start(overlapping());
  ASSERT_TRUE(wait_for(SlotEventKind::ready));
  const pid_t before = status(slot).pid;
  SlotSpec other = overlapping();
  other.restart = RestartPolicy{.max_restarts = 0};
  supervisor_->update(slot, other);
  EXPECT_EQ(status(slot).pid, before);
  kill_current(slot, SIGKILL);
  ASSERT_TRUE(wait_for(SlotEventKind::gave_up)) << "the new rules count";
}

TEST_F(Renewal, OfManyInARowEndsWithTheLastSpec) {
  const SlotId slot = start(overlapping());
  ASSERT_TRUE(wait_for(SlotEventKind::ready));
  for (int i = 1; i <= 20; ++i) {
    SlotSpec other = overlapping();
    other.name = "renewed " + std::to_string(i);
    supervisor_->renew(slot, other);
  }
  ASSERT_TRUE(run_until([&] { return ready_.size() == 2; }));
  ASSERT_TRUE(has_settled(slot));
  EXPECT_EQ(status(slot).slot, ready_.back());
  EXPECT_EQ(count(SlotEventKind::started), 3u)
      << "two renewals for twenty: the rest came meanwhile";
  EXPECT_EQ(deaths(), 2u);
}

TEST_F(Renewal, IsRetriedWhenTheNewProcessDiesBeforeItIsReady) {
  const SlotId slot = start(overlapping());
  ASSERT_TRUE(wait_for(SlotEventKind::ready));
  const pid_t before = status(slot).pid;
  supervisor_->renew(slot, overlapping({"attach", "exit=3"}));
  ASSERT_TRUE(wait_for(SlotEventKind::crash));
  EXPECT_EQ(status(slot).pid, before) << "it stays until there is another";
  ASSERT_TRUE(wait_for(SlotEventKind::crash, 2));
  supervisor_->renew(slot, overlapping());
  ASSERT_TRUE(wait_for(SlotEventKind::normal_exit));
  EXPECT_NE(status(slot).pid, before);
}

TEST_F(Renewal, IsCompletedByTheRespawnWhenTheOldProcessDies) {
  const SlotId slot = start(overlapping());
  ASSERT_TRUE(wait_for(SlotEventKind::ready));
  supervisor_->renew(slot, overlapping());
  kill_current(slot, SIGKILL);
  ASSERT_TRUE(wait_for(SlotEventKind::crash));
  ASSERT_TRUE(has_settled(slot));
  EXPECT_THAT(ready_, ElementsAre(SlotRef{slot, 0}, SlotRef{slot, 1}));
}

TEST_F(Renewal, OfAStartingProcessWaitsUntilItIsReadyAndHidesItFromTheOwner) {
  const SlotId slot = start(overlapping({"sleep=100", "serve"}));
  supervisor_->renew(slot, overlapping());
  ASSERT_TRUE(wait_for(SlotEventKind::ready, 2));
  EXPECT_THAT(ready_, ElementsAre(SlotRef{slot, 1}));
}

TEST_F(Renewal, DiscardsOutdatedSpares) {
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

TEST_F(Renewal, GivesTheOldProcessALongerDrainTimeoutThanAReplacement) {
  SlotSpec wanted = overlapping({"slow-drain=400", "serve"});
  wanted.drain_timeout = 1ms;
  const SlotId slot = start(wanted);
  ASSERT_TRUE(wait_for(SlotEventKind::ready));
  supervisor_->renew(slot, wanted);
  ASSERT_TRUE(wait_for(SlotEventKind::normal_exit));
  EXPECT_EQ(last(SlotEventKind::normal_exit).exit_code, 0)
      << last(SlotEventKind::normal_exit).detail;
}

TEST_F(Renewal, LetsTheWatchdogKillAHungOldProcess) {
  SlotSpec wanted = overlapping({"attach-asking", "ready", "until-asked", "hang"});
  wanted.hang_timeout = 200ms;
  const SlotId slot = start(spec({"serve"}));
  const SlotId hanging = start(wanted);
  ASSERT_TRUE(wait_for(SlotEventKind::ready, 2));
  supervisor_->renew(hanging, overlapping());
  ASSERT_TRUE(wait_for_deaths());
  EXPECT_EQ(death().signal, SIGKILL);
  EXPECT_EQ(status(slot).state, SlotState::ready);
}

TEST_F(Renewal, RemovesARetiringSlotAfterItsProcessHasExited) {
  const SlotId first = start(overlapping());
  SlotSpec wanted = overlapping({"slow-drain=200", "serve"});
  wanted.drain_timeout = 1ms;
  const SlotId second = start(wanted);
  const SlotId never_started = supervisor_->add(overlapping());
  ASSERT_TRUE(wait_for(SlotEventKind::ready, 2));
  supervisor_->retire(second);
  supervisor_->retire(never_started);
  EXPECT_THAT(supervisor_->slots(), ElementsAre(first, second));
  ASSERT_TRUE(wait_for(SlotEventKind::normal_exit));
  EXPECT_EQ(last(SlotEventKind::normal_exit).exit_code, 0);
  EXPECT_TRUE(run_until([&] { return supervisor_->slots().size() == 1; }));
}

TEST_F(Renewal, EndsWithTheShutdown) {
  const SlotId slot = start(overlapping());
  ASSERT_TRUE(wait_for(SlotEventKind::ready));
  supervisor_->renew(slot, overlapping({"attach", "exit=3"}));
  ASSERT_TRUE(wait_for(SlotEventKind::crash));
  EXPECT_TRUE(shut_down(10s).killed.empty());
}

}  // namespace
}  // namespace heddle::supervise
