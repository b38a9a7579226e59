#include "lifecycle/run_end.hpp"

#include <gtest/gtest.h>

namespace heddle::lifecycle {
namespace {

PageCounts pages(std::int64_t done, std::int64_t failed, std::int64_t skipped = 0) {
  return {.total = done + failed + skipped, .done = done, .failed = failed, .skipped = skipped};
}

TEST(RunEndState, IsCompletedWithoutFailures) {
  EXPECT_EQ(run_end_state({.pages = pages(3, 0)}), RunState::completed);
}

TEST(RunEndState, IsFailedWhenTheOnlyPageFails) {
  EXPECT_EQ(run_end_state({.pages = pages(0, 1), .max_error_rate = 1.0}), RunState::failed);
}

TEST(RunEndState, IsCompletedWhenHalfOfThePagesFail) {
  EXPECT_EQ(run_end_state({.pages = pages(5, 5)}), RunState::completed);
}

TEST(RunEndState, IsFailedWhenMoreThanHalfOfThePagesFail) {
  EXPECT_EQ(run_end_state({.pages = pages(4, 5)}), RunState::failed);
}

TEST(RunEndState, FollowsTheErrorRateOfTheJob) {
  EXPECT_EQ(run_end_state({.pages = pages(9, 1), .max_error_rate = 0.05}), RunState::failed);
}

TEST(RunEndState, IsCompletedWhenAllPagesWereSkipped) {
  EXPECT_EQ(run_end_state({.pages = pages(0, 0, 4)}), RunState::completed);
}

TEST(RunEndState, IsLimitedWhenALimitWasReached) {
  EXPECT_EQ(run_end_state({.pages = pages(9, 1), .reached_limit = true}), RunState::limited);
}

TEST(RunEndState, IsCancelledThoughPagesFailed) {
  EXPECT_EQ(run_end_state({.pages = pages(0, 9), .was_cancelled = true}), RunState::cancelled);
}

TEST(RunEndState, IsFailedWhenTheEngineFailed) {
  EXPECT_EQ(run_end_state({.pages = pages(9, 0), .engine_failed = true}), RunState::failed);
}

}  // namespace
}  // namespace heddle::lifecycle
