// Recovery after a death: opt-in, policy, runner, budget, and controls used too late.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include <gmock/gmock.h>

#include "supervise/supervisor_for_test.hpp"

namespace heddle::supervise {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::HasSubstr;

class Recovery : public SupervisorFixture {
 protected:
  static SlotSpec recovering(std::vector<std::string> actions) {
    SlotSpec wanted = spec(std::move(actions));
    wanted.recover = true;
    return wanted;
  }
  static SlotSpec crashing_once() {
    return recovering({"attach", "ready", "first=exit=7", "beat-forever"});
  }
};

TEST_F(Recovery, IsOptIn) {
  const SlotId slot = start({"attach", "ready", "exit=7"});
  ASSERT_TRUE(wait_for_deaths());
  EXPECT_EQ(status(slot).state, SlotState::down);
  EXPECT_EQ(count(SlotEventKind::started), 1u);
}

TEST_F(Recovery, MayBeEnabledByTheProcess) {
  start({"attach", "recover", "ready", "first=exit=7", "beat-forever"});
  ASSERT_TRUE(wait_for(SlotEventKind::ready, 2));
  EXPECT_EQ(last(SlotEventKind::ready).slot.occurrence, 1u);
}

TEST_F(Recovery, RespawnsImmediatelyWithTheNextOccurrence) {
  const SlotId slot = start(recovering({"serve"}));
  for (std::uint32_t round = 0; round < 5; ++round) {
    ASSERT_TRUE(wait_for(SlotEventKind::ready, round + 1));
    EXPECT_EQ(status(slot).slot.occurrence, round);
    EXPECT_EQ(status(slot).restarts_in_window, round);
    kill_current(slot, SIGKILL);
    ASSERT_TRUE(wait_for_deaths(round + 1));
    EXPECT_EQ(last(SlotEventKind::crash).slot.occurrence, round);
  }
  ASSERT_TRUE(wait_for(SlotEventKind::ready, 6));
  shut_down(5s);
  EXPECT_EQ(count(SlotEventKind::crash), 5u);
  EXPECT_EQ(deaths(), 6u);
}

TEST_F(Recovery, FollowsAnUnpublishedExit) {
  start(recovering({"attach", "ready", "first=exit=0", "beat-forever"}));
  ASSERT_TRUE(wait_for(SlotEventKind::ready, 2));
  EXPECT_EQ(count(SlotEventKind::unpublished), 1u);
}

TEST_F(Recovery, DoesNotFollowANormalExit) {
  const SlotId slot = start(recovering({"attach", "ready", "draining", "exit=0"}));
  ASSERT_TRUE(wait_for(SlotEventKind::normal_exit));
  EXPECT_EQ(status(slot).state, SlotState::down);
  EXPECT_EQ(count(SlotEventKind::started), 1u);
}

TEST_F(Recovery, GivesThePolicyACompleteCrashReport) {
  SlotSpec wanted = recovering({"attach", "ready", "exit=7"});
  wanted.number = 4;
  std::vector<CrashReport> asked;
  const auto loop_thread = std::this_thread::get_id();
  wanted.policy = [&](const CrashReport& crash) {
    EXPECT_EQ(std::this_thread::get_id(), loop_thread);
    asked.push_back(crash);
    return asked.size() < 3;
  };
  const SlotId slot = start(wanted);
  ASSERT_TRUE(run_until([&] { return asked.size() == 3; }));
  run_for(20ms);
  EXPECT_EQ(status(slot).state, SlotState::down);
  EXPECT_EQ(count(SlotEventKind::started), 3u);
  EXPECT_EQ(asked[2].slot, (SlotRef{slot, 2}));
  EXPECT_EQ(asked[2].name, "worker");
  EXPECT_EQ(asked[2].number, 4);
  EXPECT_EQ(asked[2].exit_code, 7);
  EXPECT_EQ(asked[2].signal, std::nullopt);
  EXPECT_EQ(asked[2].reason, SlotEventKind::crash);
  EXPECT_EQ(asked[2].restarts_in_window, 2u);
  EXPECT_GT(asked[2].pid, 0);
}

TEST_F(Recovery, TreatsAPolicyThatThrowsAsARefusal) {
  SlotSpec wanted = recovering({"attach", "exit=7"});
  wanted.policy = [](const CrashReport&) -> bool { throw std::runtime_error("no idea"); };
  const SlotId slot = start(wanted);
  ASSERT_TRUE(wait_for_deaths());
  EXPECT_EQ(status(slot).state, SlotState::down);
  EXPECT_THAT(log_.lines(), Contains(HasSubstr("no idea")));
}

TEST_F(Recovery, UsesTheDefaultPolicyForSlotsWithoutOne) {
  supervisor_->set_default_policy([](const CrashReport&) { return false; });
  const SlotId slot = start(crashing_once());
  ASSERT_TRUE(wait_for_deaths());
  EXPECT_EQ(status(slot).state, SlotState::down);
  supervisor_->set_default_policy({});
  start(crashing_once());
  EXPECT_TRUE(wait_for(SlotEventKind::ready, 3));
}

TEST_F(Recovery, LetsAPolicyStopItsSlot) {
  SlotSpec wanted = recovering({"attach", "exit=7"});
  wanted.policy = [this](const CrashReport& crash) {
    supervisor_->request_stop(crash.slot.slot, SteadyClock::now());
    return true;
  };
  const SlotId slot = start(wanted);
  ASSERT_TRUE(wait_for_deaths());
  EXPECT_EQ(status(slot).state, SlotState::stopped);
  EXPECT_EQ(count(SlotEventKind::started), 1u);
}

TEST_F(Recovery, RunsTheRunnerOnItsOwnThreadAndSpawnsOnTheLoop) {
  SlotSpec wanted = crashing_once();
  std::atomic<bool> was_elsewhere = false;
  const auto loop_thread = std::this_thread::get_id();
  wanted.runner = [&](const CrashReport& crash, const RespawnControl& control) {
    was_elsewhere = std::this_thread::get_id() != loop_thread && crash.exit_code == 7;
    EXPECT_FALSE(control.should_cancel());
    control.spawn();
  };
  start(wanted);
  ASSERT_TRUE(wait_for(SlotEventKind::ready, 2));
  EXPECT_TRUE(was_elsewhere);
}

TEST_F(Recovery, SpawnsOnceForRepeatedCallsOfARunner) {
  SlotSpec wanted = crashing_once();
  wanted.runner = [](const CrashReport&, const RespawnControl& control) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back([&control] { control.spawn(); });
    for (auto& thread : threads) thread.join();
    control.spawn();
  };
  start(wanted);
  ASSERT_TRUE(wait_for(SlotEventKind::ready, 2));
  shut_down(5s);
  EXPECT_EQ(count(SlotEventKind::started), 2u);
}

TEST_F(Recovery, LeavesTheSlotDownWhenTheRunnerReturnsWithoutSpawning) {
  SlotSpec wanted = crashing_once();
  wanted.runner = [](const CrashReport&, const RespawnControl&) {};
  const SlotId slot = start(wanted);
  ASSERT_TRUE(run_until([&] { return deaths() == 1 && status(slot).state == SlotState::down; }));
  EXPECT_EQ(count(SlotEventKind::started), 1u);
}

TEST_F(Recovery, LogsARunnerThatThrowsAndLeavesTheSlotDown) {
  SlotSpec wanted = crashing_once();
  wanted.runner = [](const CrashReport&, const RespawnControl&) { throw std::runtime_error("oh"); };
  const SlotId slot = start(wanted);
  ASSERT_TRUE(run_until([&] { return deaths() == 1 && status(slot).state == SlotState::down; }));
  EXPECT_THAT(log_.lines(), Contains(HasSubstr("oh")));
}

TEST_F(Recovery, IgnoresAControlUsedAfterTheRunnerReturned) {
  SlotSpec wanted = crashing_once();
  std::optional<RespawnControl> kept;
  wanted.runner = [&kept](const CrashReport&, const RespawnControl& control) { kept = control; };
  const SlotId slot = start(wanted);
  ASSERT_TRUE(run_until([&] { return deaths() == 1 && status(slot).state == SlotState::down; }));
  kept->spawn();
  run_for(20ms);
  EXPECT_EQ(status(slot).state, SlotState::down);
  ASSERT_TRUE(supervisor_->start(slot));
  kept->spawn();
  ASSERT_TRUE(wait_for(SlotEventKind::ready, 2));
  EXPECT_EQ(count(SlotEventKind::started), 2u);
  shut_down(5s);
  EXPECT_TRUE(kept->should_cancel());
  kept->spawn();
  supervisor_.reset();
  kept->spawn();
  EXPECT_FALSE(kept->wait_for(1h));
}

TEST_F(Recovery, CancelsRunnersWhenShutdownBegins) {
  SlotSpec wanted = crashing_once();
  std::atomic<bool> is_waiting = false;
  std::atomic<bool> was_told = false;
  wanted.runner = [&](const CrashReport&, const RespawnControl& control) {
    is_waiting = true;
    was_told = !control.wait_for(1h) && control.should_cancel();
    control.spawn();
  };
  start(wanted);
  ASSERT_TRUE(run_until([&] { return is_waiting.load(); }));
  shut_down(5s);
  EXPECT_TRUE(run_until([&] { return was_told.load(); }));
  EXPECT_EQ(count(SlotEventKind::started), 1u);
}

TEST_F(Recovery, CancelsARunnerOnShutdownAfterItsSpawn) {
  SlotSpec wanted = crashing_once();
  std::atomic<bool> was_told = false;
  wanted.runner = [&](const CrashReport&, const RespawnControl& control) {
    control.spawn();
    was_told = !control.wait_for(1h);
  };
  start(wanted);
  ASSERT_TRUE(wait_for(SlotEventKind::ready, 2));
  shut_down(5s);
  EXPECT_TRUE(run_until([&] { return was_told.load(); }));
}

// Shared with a detached thread.
struct Gate {
  std::mutex mutex;
  std::condition_variable changed;
  bool is_open = false;
  bool was_passed = false;

  void open() {
    const std::lock_guard lock(mutex);
    is_open = true;
    changed.notify_all();
  }
  void wait_until_passed() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return was_passed; });
  }
};

TEST_F(Recovery, IsNotDelayedByARunnerThatIgnoresCancellation) {
  const auto gate = std::make_shared<Gate>();
  SlotSpec wanted = crashing_once();
  wanted.runner = [gate](const CrashReport&, const RespawnControl& control) {
    std::unique_lock lock(gate->mutex);
    gate->changed.wait(lock, [&] { return gate->is_open; });
    control.spawn();
    gate->was_passed = true;
    gate->changed.notify_all();
  };
  const SlotId slot = start(wanted);
  ASSERT_TRUE(run_until([&] { return status(slot).state == SlotState::waiting; }));
  const auto begin = SteadyClock::now();
  shut_down(2s);
  supervisor_.reset();
  EXPECT_LT(SteadyClock::now() - begin, 2s);
  gate->open();
  gate->wait_until_passed();
  EXPECT_EQ(count(SlotEventKind::started), 1u);
}

TEST_F(Recovery, EndsWhenTheSlotIsStoppedDuringARunner) {
  const auto gate = std::make_shared<Gate>();
  SlotSpec wanted = crashing_once();
  wanted.runner = [gate](const CrashReport&, const RespawnControl& control) {
    control.wait_for(1h);
    control.spawn();
    const std::lock_guard lock(gate->mutex);
    gate->was_passed = true;
    gate->changed.notify_all();
  };
  const SlotId slot = start(wanted);
  ASSERT_TRUE(run_until([&] { return status(slot).state == SlotState::waiting; }));
  supervisor_->request_stop(slot, SteadyClock::now());
  gate->wait_until_passed();
  run_for(20ms);
  EXPECT_EQ(status(slot).state, SlotState::stopped);
  EXPECT_EQ(count(SlotEventKind::started), 1u);
}

TEST_F(Recovery, CountsASingleRestartAsOne) {
  SlotSpec wanted = recovering({"attach", "exit=7"});
  wanted.restart = RestartPolicy{0ms, 1ms, 4ms, 1, 60s};
  start(wanted);
  ASSERT_TRUE(wait_for(SlotEventKind::gave_up));
  EXPECT_THAT(last(SlotEventKind::gave_up).detail, HasSubstr("1 restart within 1m"));
}

TEST_F(Recovery, GivesUpOnACrashLoopAndStaysDownUntilStartedAgain) {
  SlotSpec wanted = recovering({"attach", "exit=7"});
  wanted.restart = RestartPolicy{0ms, 1ms, 4ms, 3, 60s};
  const SlotId slot = start(wanted);
  ASSERT_TRUE(wait_for(SlotEventKind::gave_up));
  EXPECT_EQ(status(slot).state, SlotState::gave_up);
  EXPECT_EQ(count(SlotEventKind::started), 4u);
  EXPECT_EQ(count(SlotEventKind::crash), 4u);
  EXPECT_THAT(last(SlotEventKind::gave_up).detail, HasSubstr("3 restarts within 1m"));
  run_for(50ms);
  EXPECT_EQ(count(SlotEventKind::started), 4u);
  ASSERT_TRUE(supervisor_->start(slot));
  ASSERT_TRUE(wait_for(SlotEventKind::gave_up, 2));
  EXPECT_EQ(count(SlotEventKind::started), 8u) << "a new start has a new budget";
}

TEST_F(Recovery, CountsDownWhileItWaits) {
  SlotSpec wanted = crashing_once();
  wanted.restart = RestartPolicy{1100ms, 1ms, 1ms, 5, 60s};
  start(wanted);
  ASSERT_TRUE(wait_for_deaths());
  ASSERT_TRUE(wait_for(SlotEventKind::ready, 2));
  EXPECT_EQ(count(SlotEventKind::countdown), 2u);
  EXPECT_LE(last(SlotEventKind::countdown).delay, 1000ms);
  EXPECT_GE(last(SlotEventKind::countdown).delay, 500ms);  // it may be published a little late
  EXPECT_GE(SteadyClock::now() - death_time_, 1100ms);
}

TEST_F(Recovery, StaysDownWhenStoppedDuringTheDelay) {
  SlotSpec wanted = crashing_once();
  wanted.restart = RestartPolicy{200ms, 1ms, 1ms, 5, 60s};
  const SlotId slot = start(wanted);
  ASSERT_TRUE(wait_for(SlotEventKind::countdown));
  EXPECT_EQ(status(slot).state, SlotState::waiting);
  supervisor_->request_stop(slot, SteadyClock::now());
  EXPECT_EQ(status(slot).state, SlotState::stopped);
  run_for(300ms);
  EXPECT_EQ(status(slot).state, SlotState::stopped);
  EXPECT_EQ(count(SlotEventKind::started), 1u);
}

TEST_F(Recovery, DoesNotDelayShutdown) {
  SlotSpec wanted = crashing_once();
  wanted.restart = RestartPolicy{1h, 1ms, 1ms, 5, 60s};
  start(wanted);
  ASSERT_TRUE(wait_for(SlotEventKind::countdown));
  const auto begin = SteadyClock::now();
  shut_down(10s);
  supervisor_.reset();
  loop_.restart();
  loop_.run();
  EXPECT_LT(SteadyClock::now() - begin, 5s) << "nothing is left on the loop";
}

TEST_F(Recovery, PausesARestartLoopWithoutAPolicy) {
  start(recovering({"exit=7"}));
  ASSERT_TRUE(wait_for(SlotEventKind::countdown));
  EXPECT_GE(count(SlotEventKind::started), 10u);
  EXPECT_LE(count(SlotEventKind::started), 13u);
  EXPECT_LE(last(SlotEventKind::countdown).delay, 1000ms);
  EXPECT_GE(last(SlotEventKind::countdown).delay, 500ms);  // it may be published a little late
}

TEST_F(Recovery, LetsAHandlerRestartADeadProcess) {
  const SlotId slot = supervisor_->add(crashing_once());
  const Subscription subscription = supervisor_->subscribe([&](const SlotEvent& event) {
    if (!is_death(event.kind)) return;
    EXPECT_TRUE(supervisor_->start(slot));
  });
  ASSERT_TRUE(supervisor_->start(slot));
  ASSERT_TRUE(wait_for(SlotEventKind::ready, 2));
  EXPECT_EQ(count(SlotEventKind::started), 2u);
}

}  // namespace
}  // namespace heddle::supervise
