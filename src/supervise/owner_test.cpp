// Calls to the owner and the subscribers of a supervisor.
#include <gmock/gmock.h>

#include "base/wake_signal.hpp"
#include "supervise/supervisor_for_test.hpp"

namespace heddle::supervise {
namespace {

using namespace std::chrono_literals;

class SupervisorOwner : public SupervisorFixture {};

TEST_F(SupervisorOwner, ExchangesFramesWithAProcessInOrder) {
  const SlotId slot = start({"serve"});
  ASSERT_TRUE(run_until([&] { return ready_.size() == 1; }));
  const auto channel = supervisor_->channel(ready_[0]);
  ASSERT_NE(channel, nullptr);
  for (std::uint32_t i = 0; i < 1000; ++i) channel->post({16, i, std::to_string(i)});
  ASSERT_TRUE(run_until([&] { return frames_.size() == 1000; }));
  for (std::uint32_t i = 0; i < 1000; ++i) {
    EXPECT_EQ(frames_[i].first, (SlotRef{slot, 0}));
    EXPECT_EQ(frames_[i].second.body, std::to_string(i));
  }
  EXPECT_EQ(status(slot).working_on, 999u);
}

TEST_F(SupervisorOwner, GetsNoChannelOfAMissingOccurrence) {
  const SlotId slot = start({"serve"});
  EXPECT_EQ(supervisor_->channel({slot, 1}), nullptr);
  EXPECT_EQ(supervisor_->channel({slot + 1, 0}), nullptr);
}

TEST_F(SupervisorOwner, SeesStateMemoryAndUptimeOfEverySlot) {
  SlotSpec wanted = spec({"serve"});
  wanted.number = 3;
  const SlotId slot = supervisor_->add(wanted);
  EXPECT_EQ(status(slot).state, SlotState::idle);
  ASSERT_TRUE(supervisor_->start(slot));
  EXPECT_EQ(status(slot).state, SlotState::starting);
  ASSERT_TRUE(wait_for(SlotEventKind::ready));
  const SlotStatus now = status(slot);
  EXPECT_EQ(now.state, SlotState::ready);
  EXPECT_EQ(now.number, 3);
  EXPECT_GT(now.rss_bytes, 100'000);
  EXPECT_GT(now.pid, 0);
  ASSERT_TRUE(now.last_event.has_value());
  EXPECT_EQ(now.last_event->kind, SlotEventKind::ready);
}

// An owner that does not return from its first frame.
class BusyOwner : public SupervisorFixture {
 protected:
  Async<void> on_frame(SlotRef, ipc::Frame) override {
    ++begun_;
    co_await never_.wait_for(1h);
  }
  int begun_ = 0;
  WakeSignal never_;
};

TEST_F(BusyOwner, DoesNotTriggerTheWatchdog) {
  SlotSpec wanted = spec({"serve"});
  wanted.hang_timeout = 400ms;
  start(wanted);
  ASSERT_TRUE(wait_for(SlotEventKind::ready));
  const auto channel = supervisor_->channel(ready_[0]);
  for (int i = 0; i < 10; ++i) channel->post({16, 0, std::string(1 << 20, 'x')});
  ASSERT_TRUE(run_until([&] { return begun_ == 1; }));
  run_for(1s);
  EXPECT_EQ(deaths(), 0u);
  EXPECT_EQ(begun_, 1) << "one frame at a time";
}

TEST_F(BusyOwner, DoesNotDelayADeathEvent) {
  SlotSpec wanted = spec({"serve"});
  wanted.recover = true;
  const SlotId slot = start(wanted);
  ASSERT_TRUE(wait_for(SlotEventKind::ready));
  supervisor_->channel(ready_[0])->post({16, 0, ""});
  ASSERT_TRUE(run_until([&] { return begun_ == 1; }));
  kill_current(slot, SIGKILL);
  ASSERT_TRUE(wait_for_deaths());
  EXPECT_LT(death_time_ - kill_time_, 1s);
  EXPECT_TRUE(wait_for(SlotEventKind::ready, 2));
  never_.close();
  run_for(20ms);
  EXPECT_EQ(begun_, 1) << "no frame of the dead process any more";
}

class Subscribers : public SupervisorFixture {};

TEST_F(Subscribers, ReceiveEveryEventInOrder) {
  SlotSpec wanted = spec({"attach", "ready", "first=exit=7", "beat-forever"});
  wanted.recover = true;
  std::vector<SlotEventKind> second;
  const SlotId slot = supervisor_->add(wanted);
  const auto restarting = supervisor_->subscribe([&](const SlotEvent& event) {
    if (event.kind != SlotEventKind::crash) return;
    EXPECT_TRUE(supervisor_->start(slot));
  });
  const auto watching =
      supervisor_->subscribe([&](const SlotEvent& event) { second.push_back(event.kind); });
  ASSERT_TRUE(supervisor_->start(slot));
  ASSERT_TRUE(wait_for(SlotEventKind::ready, 2));
  using enum SlotEventKind;
  EXPECT_THAT(second, ::testing::ElementsAre(started, ready, crash, started, ready));
}

TEST_F(Subscribers, MayUnsubscribeInsideTheirHandler) {
  Subscription own;
  int calls = 0;
  own = supervisor_->subscribe([&](const SlotEvent&) {
    ++calls;
    own.cancel();
  });
  start({"serve"});
  ASSERT_TRUE(wait_for(SlotEventKind::ready));
  EXPECT_EQ(calls, 1);
}

TEST_F(Subscribers, AreNotCalledOnceUnsubscribed) {
  int calls = 0;
  {
    const auto gone = supervisor_->subscribe([&](const SlotEvent&) { ++calls; });
  }
  start({"serve"});
  ASSERT_TRUE(wait_for(SlotEventKind::ready));
  EXPECT_EQ(calls, 0);
}

TEST_F(Subscribers, MayThrowWithoutAffectingOthers) {
  const auto throwing =
      supervisor_->subscribe([](const SlotEvent&) { throw std::runtime_error("ouch"); });
  int calls = 0;
  const auto next = supervisor_->subscribe([&](const SlotEvent&) { ++calls; });
  start({"serve"});
  ASSERT_TRUE(wait_for(SlotEventKind::ready));
  EXPECT_EQ(calls, 2);
  EXPECT_THAT(log_.lines(), ::testing::Contains(::testing::HasSubstr("ouch")));
}

TEST_F(Subscribers, MayOutliveTheSupervisor) {
  Subscription kept = supervisor_->subscribe([](const SlotEvent&) {});
  supervisor_.reset();
  kept.cancel();
}

}  // namespace
}  // namespace heddle::supervise
