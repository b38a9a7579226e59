#include "supervise/recovery/restart_budget.hpp"

#include <gtest/gtest.h>

namespace heddle::supervise {
namespace {

using namespace std::chrono_literals;

constexpr RestartBudget::Clock::time_point kStart{};

RestartPolicy policy() {
  RestartPolicy wanted;
  wanted.delay = 5ms;
  wanted.backoff = 100ms;
  wanted.backoff_cap = 1s;
  wanted.max_restarts = 8;
  wanted.window = 60s;
  return wanted;
}

TEST(RestartBudget, WaitsTheFirstDelayForTheFirstRestartInTheWindow) {
  RestartBudget budget(policy());
  EXPECT_EQ(budget.next_delay(kStart), 5ms);
  EXPECT_EQ(budget.next_delay(kStart), 5ms) << "asking is not restarting";
}

TEST(RestartBudget, DoublesTheBackoffUpToItsCap) {
  RestartBudget budget(policy());
  for (const auto expected : {100ms, 200ms, 400ms, 800ms, 1000ms, 1000ms}) {
    budget.record_restart(kStart);
    EXPECT_EQ(budget.next_delay(kStart), expected);
  }
}

TEST(RestartBudget, GivesUpAfterTooManyRestartsInTheWindow) {
  RestartBudget budget(policy());
  for (int i = 0; i < 8; ++i) {
    EXPECT_TRUE(budget.next_delay(kStart + i * 1s).has_value());
    budget.record_restart(kStart + i * 1s);
  }
  EXPECT_EQ(budget.next_delay(kStart + 8s), std::nullopt);
}

TEST(RestartBudget, ExpiresRestartsOutsideTheWindow) {
  RestartBudget budget(policy());
  for (int i = 0; i < 8; ++i) budget.record_restart(kStart);
  EXPECT_EQ(budget.restarts_in_window(kStart + 60s), 8u);
  EXPECT_EQ(budget.restarts_in_window(kStart + 61s), 0u);
  EXPECT_EQ(budget.next_delay(kStart + 61s), 5ms);
}

TEST(RestartBudget, NeverRestartsWithAnEmptyBudget) {
  RestartPolicy none = policy();
  none.max_restarts = 0;
  EXPECT_EQ(RestartBudget(none).next_delay(kStart), std::nullopt);
}

TEST(RestartBudget, StaysBelowItsCapHoweverManyRestartsThereWere) {
  RestartPolicy many = policy();
  many.max_restarts = 100'000;
  RestartBudget budget(many);
  for (int i = 0; i < 10'000; ++i) budget.record_restart(kStart);
  EXPECT_EQ(budget.next_delay(kStart), 1s);
}

TEST(RestartBudget, KeepsACapThatIsSmallerThanTheBackoff) {
  RestartPolicy small = policy();
  small.backoff_cap = 10ms;
  RestartBudget budget(small);
  budget.record_restart(kStart);
  EXPECT_EQ(budget.next_delay(kStart), 10ms);
}

}  // namespace
}  // namespace heddle::supervise
