#include "commands/service_plan.hpp"

#include <gtest/gtest.h>

namespace heddle::commands {
namespace {

using namespace std::chrono_literals;
using Then = ServicePlan::Then;

constexpr ServicePlan::TimePoint kStart{};

ServiceRules rules(RestartRule restart, int max_restarts) {
  ServiceRules out;
  out.restart = restart;
  out.max_restarts = max_restarts;
  out.window = 10s;
  out.backoff.base = 100ms;
  out.backoff.factor = 2;
  out.backoff.jitter = 0;
  return out;
}

TEST(ServicePlan, RestartsWithGrowingPausesAndThenGivesUp) {
  ServicePlan plan(rules(RestartRule::always, 3));
  EXPECT_EQ(plan.ended(true, kStart, 0).pause, 100ms);
  EXPECT_EQ(plan.ended(false, kStart + 1s, 0).pause, 200ms);
  EXPECT_EQ(plan.ended(false, kStart + 2s, 0).pause, 400ms);
  EXPECT_EQ(plan.ended(false, kStart + 3s, 0).then, Then::give_up);
}

TEST(ServicePlan, ExpiresEndsOutsideTheWindow) {
  ServicePlan plan(rules(RestartRule::always, 1));
  EXPECT_EQ(plan.ended(false, kStart, 0).then, Then::restart);
  EXPECT_EQ(plan.ended(false, kStart + 10s, 0).then, Then::restart);
  EXPECT_EQ(plan.ended(false, kStart + 11s, 0).then, Then::give_up);
}

TEST(ServicePlan, IsCompleteWhenOnlyFailuresAreReplaced) {
  ServicePlan plan(rules(RestartRule::on_failure, 3));
  EXPECT_EQ(plan.ended(false, kStart, 0).then, Then::restart);
  EXPECT_EQ(plan.ended(true, kStart, 0).then, Then::complete);
}

}  // namespace
}  // namespace heddle::commands
