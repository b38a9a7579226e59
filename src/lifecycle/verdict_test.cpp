#include "lifecycle/verdict.hpp"

#include <gtest/gtest.h>

namespace heddle::lifecycle {
namespace {

PageCounts pages(std::int64_t done, std::int64_t failed, std::int64_t skipped = 0) {
  return {.total = done + failed + skipped, .done = done, .failed = failed, .skipped = skipped};
}

TEST(Verdict, CompletesARunWithoutFailures) {
  EXPECT_EQ(judge({.pages = pages(3, 0)}), RunState::completed);
}

TEST(Verdict, FailsARunWhoseSinglePageFails) {
  EXPECT_EQ(judge({.pages = pages(0, 1), .max_error_rate = 1.0}), RunState::failed);
}

TEST(Verdict, CompletesARunWithHalfOfItsPagesFailed) {
  EXPECT_EQ(judge({.pages = pages(5, 5)}), RunState::completed);
}

TEST(Verdict, FailsARunWithMoreThanHalfOfItsPagesFailed) {
  EXPECT_EQ(judge({.pages = pages(4, 5)}), RunState::failed);
}

TEST(Verdict, HoldsTheRunToTheJobsOwnErrorRate) {
  EXPECT_EQ(judge({.pages = pages(9, 1), .max_error_rate = 0.05}), RunState::failed);
}

TEST(Verdict, CompletesARunWhosePagesWereAllSkipped) {
  EXPECT_EQ(judge({.pages = pages(0, 0, 4)}), RunState::completed);
}

TEST(Verdict, CallsARunThatReachedALimitLimited) {
  EXPECT_EQ(judge({.pages = pages(9, 1), .reached_limit = true}), RunState::limited);
}

TEST(Verdict, PutsTheUsersCancelAboveFailures) {
  EXPECT_EQ(judge({.pages = pages(0, 9), .was_cancelled = true}), RunState::cancelled);
}

TEST(Verdict, FailsARunWhoseStoreBrokeDown) {
  EXPECT_EQ(judge({.pages = pages(9, 0), .broke_down = true}), RunState::failed);
}

}  // namespace
}  // namespace heddle::lifecycle
