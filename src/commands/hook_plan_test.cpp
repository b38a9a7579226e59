#include "commands/hook_plan.hpp"

#include <map>
#include <memory>
#include <random>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::commands {
namespace {

using namespace std::chrono_literals;
using End = HookPlan::End;
using TimePoint = HookPlan::TimePoint;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr TimePoint kStart{};

HookRule hook(const std::string& name, HookFailure failure = HookFailure::fail,
              HookMode mode = HookMode::blocking) {
  HookRule rule;
  rule.name = name;
  rule.failure = failure;
  rule.mode = mode;
  rule.retries = 2;
  rule.retry_delay = 200ms;
  return rule;
}

HookRecord record(const std::string& name, int attempt, HookState state,
                  HookPhase phase = HookPhase::pre_start) {
  HookRecord out;
  out.hook = name;
  out.attempt = attempt;
  out.state = state;
  out.phase = phase;
  return out;
}

// Returns "name#attempt" of each launch.
std::vector<std::string> launched(const HookPlan& plan, const HookPlan::Step& step) {
  std::vector<std::string> out;
  for (const auto& each : step.launches)
    out.push_back(plan.hook(each.hook).name + "#" + std::to_string(each.attempt));
  return out;
}

TEST(HookPlan, IsOverWithoutHooks) {
  HookPlan plan(HookPhase::pre_start, {});
  const auto step = plan.step(kStart);
  EXPECT_TRUE(step.is_over);
  EXPECT_TRUE(step.is_blocking_over);
}

TEST(HookPlan, RunsBlockingHooksOneAfterAnother) {
  HookPlan plan(HookPhase::pre_start, {hook("a"), hook("b")});
  EXPECT_THAT(launched(plan, plan.step(kStart)), ElementsAre("a#1"));
  EXPECT_THAT(launched(plan, plan.step(kStart)), IsEmpty());
  plan.ended(0, End::succeeded, kStart);
  EXPECT_THAT(launched(plan, plan.step(kStart)), ElementsAre("b#1"));
  plan.ended(1, End::succeeded, kStart);
  EXPECT_TRUE(plan.step(kStart).is_over);
  EXPECT_EQ(plan.failed_hook(), nullptr);
}

TEST(HookPlan, RunsAsyncHooksConcurrently) {
  HookPlan plan(HookPhase::post_stop, {hook("a", HookFailure::fail, HookMode::async), hook("b")});
  EXPECT_THAT(launched(plan, plan.step(kStart)), ElementsAre("a#1", "b#1"));
  plan.ended(1, End::succeeded, kStart);
  const auto step = plan.step(kStart);
  EXPECT_TRUE(step.is_blocking_over);
  EXPECT_FALSE(step.is_over);
  plan.ended(0, End::succeeded, kStart);
  EXPECT_TRUE(plan.step(kStart).is_over);
}

TEST(HookPlan, StartsAnAsyncHookOnlyWhenItsTurnComes) {
  HookPlan plan(HookPhase::pre_start, {hook("a"), hook("b", HookFailure::fail, HookMode::async)});
  EXPECT_THAT(launched(plan, plan.step(kStart)), ElementsAre("a#1"));
}

TEST(HookPlan, SkipsTheRestWhenAPreStartHookFails) {
  HookPlan plan(HookPhase::pre_start, {hook("a"), hook("b")});
  plan.step(kStart);
  plan.ended(0, End::failed, kStart);
  const auto step = plan.step(kStart);
  EXPECT_TRUE(step.is_over);
  EXPECT_THAT(launched(plan, step), IsEmpty());
  ASSERT_NE(plan.failed_hook(), nullptr);
  EXPECT_EQ(plan.failed_hook()->name, "a");
}

TEST(HookPlan, RunsAllPostStopHooksDespiteFailures) {
  HookPlan plan(HookPhase::post_stop, {hook("a"), hook("b")});
  plan.step(kStart);
  plan.ended(0, End::failed, kStart);
  EXPECT_THAT(launched(plan, plan.step(kStart)), ElementsAre("b#1"));
  plan.ended(1, End::succeeded, kStart);
  EXPECT_TRUE(plan.step(kStart).is_over);
  EXPECT_EQ(plan.failed_hook()->name, "a");
}

TEST(HookPlan, IgnoresAFailureThatIsToBeIgnored) {
  HookPlan plan(HookPhase::pre_start, {hook("a", HookFailure::ignore), hook("b")});
  plan.step(kStart);
  plan.ended(0, End::failed, kStart);
  EXPECT_THAT(launched(plan, plan.step(kStart)), ElementsAre("b#1"));
  EXPECT_EQ(plan.failed_hook(), nullptr);
}

TEST(HookPlan, RetriesAfterTheDelayAndThenFails) {
  HookPlan plan(HookPhase::pre_start, {hook("a", HookFailure::retry)});
  TimePoint now = kStart;
  for (int attempt = 1; attempt <= 3; ++attempt) {
    EXPECT_THAT(launched(plan, plan.step(now)), ElementsAre("a#" + std::to_string(attempt)));
    plan.ended(0, End::failed, now);
    if (attempt == 3) break;
    const auto waiting = plan.step(now + 199ms);
    EXPECT_THAT(launched(plan, waiting), IsEmpty());
    EXPECT_FALSE(waiting.is_blocking_over);
    EXPECT_EQ(waiting.next_check, now + 200ms);
    now += 200ms;
  }
  EXPECT_TRUE(plan.step(now).is_over);
  EXPECT_EQ(plan.failed_hook()->name, "a");
}

TEST(HookPlan, DoesNotRunAnInterruptedHookAgain) {
  HookPlan plan(HookPhase::post_stop, {hook("a"), hook("b")});
  plan.restore({record("a", 1, HookState::running, HookPhase::post_stop)});
  EXPECT_THAT(launched(plan, plan.step(kStart)), ElementsAre("b#1"));
  EXPECT_EQ(plan.failed_hook()->name, "a");
}

TEST(HookPlan, RetriesAnInterruptedHookWithRetries) {
  HookPlan plan(HookPhase::pre_start, {hook("a", HookFailure::retry)});
  plan.restore({record("a", 1, HookState::failed), record("a", 2, HookState::interrupted)});
  EXPECT_THAT(launched(plan, plan.step(kStart)), ElementsAre("a#3"));
}

TEST(HookPlan, DoesNotRunASuccessfulHookAgain) {
  HookPlan plan(HookPhase::pre_start, {hook("a"), hook("b")});
  plan.restore({record("a", 1, HookState::succeeded)});
  EXPECT_THAT(launched(plan, plan.step(kStart)), ElementsAre("b#1"));
}

TEST(HookPlan, IgnoresRecordsOfOtherPhases) {
  HookPlan plan(HookPhase::pre_start, {hook("a")});
  plan.restore({record("a", 1, HookState::succeeded, HookPhase::post_stop)});
  EXPECT_THAT(launched(plan, plan.step(kStart)), ElementsAre("a#1"));
}

TEST(HookPlan, StartsNothingNewOnceTheRestIsSkipped) {
  HookPlan plan(HookPhase::pre_start, {hook("a", HookFailure::retry), hook("b")});
  plan.step(kStart);
  plan.skip_rest();
  EXPECT_FALSE(plan.step(kStart).is_over);
  plan.ended(0, End::stopped, kStart);
  EXPECT_TRUE(plan.step(kStart).is_over);
}

// Random hooks, ends and crashes: the invariants hold at every step.
TEST(HookPlan, KeepsItsInvariantsForRandomSequences) {
  std::mt19937 random(20261116);
  const auto pick = [&](int most) { return std::uniform_int_distribution<int>(0, most)(random); };
  for (int round = 0; round < 3000; ++round) {
    const auto phase = kAllHookPhases[static_cast<std::size_t>(pick(3))];
    std::vector<HookRule> hooks;
    for (int i = pick(4); i >= 0; --i) {
      HookRule rule = hook("h" + std::to_string(hooks.size()),
                           std::array{HookFailure::fail, HookFailure::retry,
                                      HookFailure::ignore}[static_cast<std::size_t>(pick(2))],
                           pick(2) == 0 ? HookMode::async : HookMode::blocking);
      rule.phase = phase;
      hooks.push_back(rule);
    }
    auto plan = std::make_unique<HookPlan>(phase, hooks);
    TimePoint now = kStart;
    std::set<std::size_t> running;
    std::vector<HookRecord> records;
    std::map<std::size_t, std::set<int>> tries;
    std::size_t furthest = 0;
    bool is_over = false;
    for (int turn = 0; turn < 300 && !is_over; ++turn) {
      const auto step = plan->step(now);
      for (const auto& each : step.launches) {
        ASSERT_TRUE(tries[each.hook].insert(each.attempt).second) << "the same try twice";
        ASSERT_LE(
            each.attempt,
            1 + (hooks[each.hook].failure == HookFailure::retry ? hooks[each.hook].retries : 0));
        if (each.attempt == 1) {
          ASSERT_GE(each.hook, furthest) << "out of order";
          furthest = each.hook;
          for (const std::size_t other : running)
            ASSERT_TRUE(other >= each.hook || hooks[other].mode == HookMode::async)
                << "a blocking hook before it is not over";
        }
        running.insert(each.hook);
        records.push_back(record(hooks[each.hook].name, each.attempt, HookState::running, phase));
      }
      is_over = step.is_over;
      if (is_over) {
        ASSERT_TRUE(running.empty());
        break;
      }
      if (running.empty()) {
        ASSERT_TRUE(step.next_check) << "nothing will ever happen";
        now = std::max(now, *step.next_check);
        continue;
      }
      if (pick(9) == 0) {  // a crash interrupts running hooks
        running.clear();
        plan = std::make_unique<HookPlan>(phase, hooks);
        plan->restore(records);
        continue;
      }
      auto chosen = running.begin();
      std::advance(chosen, pick(static_cast<int>(running.size()) - 1));
      const std::size_t number = *chosen;
      running.erase(chosen);
      const bool has_succeeded = pick(2) != 0;
      records.push_back(record(hooks[number].name, *tries[number].rbegin(),
                               has_succeeded ? HookState::succeeded : HookState::failed, phase));
      plan->ended(number, has_succeeded ? End::succeeded : End::failed, now);
    }
    ASSERT_TRUE(is_over);
    const bool runs_all = phase == HookPhase::pre_stop || phase == HookPhase::post_stop;
    if (runs_all || plan->failed_hook() == nullptr) {
      for (std::size_t i = 0; i < hooks.size(); ++i) ASSERT_FALSE(tries[i].empty());
    }
  }
}

}  // namespace
}  // namespace heddle::commands
