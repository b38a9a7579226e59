#include "model/job/retry.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

using namespace std::chrono_literals;

constexpr double kMiddle = 0.5;  // no jitter either way

TEST(NextTry, GrowsByTheFactorFromTheBase) {
  const RetryPolicy policy;
  EXPECT_EQ(next_try(policy, {.attempt = 1, .transient = true}, kMiddle), 1s);
  EXPECT_EQ(next_try(policy, {.attempt = 2, .transient = true}, kMiddle), 3s);
  EXPECT_EQ(next_try(policy, {.attempt = 3, .transient = true}, kMiddle), 9s);
}

TEST(NextTry, GivesUpAfterTheLastRetry) {
  const RetryPolicy policy;
  EXPECT_EQ(next_try(policy, {.attempt = 4, .transient = true}, kMiddle), std::nullopt);
}

TEST(NextTry, GivesUpAtOnceWhenTheFailureIsNotTransient) {
  EXPECT_EQ(next_try({}, {.attempt = 1, .transient = false}, kMiddle), std::nullopt);
}

TEST(NextTry, GivesUpAtOnceWhenNoRetriesAreWanted) {
  EXPECT_EQ(next_try({.max = 0}, {.attempt = 1, .transient = true}, kMiddle), std::nullopt);
}

TEST(NextTry, StaysWithinTheJitterAroundTheWait) {
  const RetryPolicy policy{.jitter = 0.1};
  EXPECT_EQ(next_try(policy, {.attempt = 1, .transient = true}, 0.0), 900ms);
  EXPECT_LT(next_try(policy, {.attempt = 1, .transient = true}, 0.999), 1100ms);
}

TEST(NextTry, NeverWaitsLongerThanTheCap) {
  const RetryPolicy policy{.max = 100, .cap = 5s};
  EXPECT_EQ(next_try(policy, {.attempt = 50, .transient = true}, 0.999), 5s);
}

TEST(NextTry, WaitsAtLeastAsLongAsTheServerAsks) {
  const FailedTry asked{.attempt = 1, .transient = true, .retry_after = 20s};
  EXPECT_EQ(next_try({}, asked, kMiddle), 20s);
}

TEST(NextTry, CapsTheDelayTheServerRequests) {
  const FailedTry asked{.attempt = 1, .transient = true, .retry_after = 24h};
  EXPECT_EQ(next_try({}, asked, kMiddle), 5min);
}

TEST(NextTryOfAWrongPage, IsASingleOneAfterAMinuteOrMore) {
  const RetryPolicy policy{.max = 3, .jitter = 0.1, .cap = 5s};
  EXPECT_EQ(next_try_of_wrong_page(policy, {.attempt = 1, .transient = true}, 0.0), 60s);
  EXPECT_EQ(next_try_of_wrong_page(policy, {.attempt = 1, .transient = true}, 0.5), 63s);
  EXPECT_EQ(next_try_of_wrong_page(policy, {.attempt = 2, .transient = true}, 0.5), std::nullopt);
}

TEST(NextTryOfAWrongPage, IsNoneWhenNoRetriesAreWanted) {
  EXPECT_EQ(next_try_of_wrong_page({.max = 0}, {.attempt = 1, .transient = true}, 0), std::nullopt);
}

TEST(NextTryOfAWrongPage, WaitsAsLongAsTheServerAsks) {
  const FailedTry failed{.attempt = 1, .transient = true, .retry_after = 2min};
  EXPECT_EQ(next_try_of_wrong_page({}, failed, 0), 2min);
}

}  // namespace
}  // namespace heddle
