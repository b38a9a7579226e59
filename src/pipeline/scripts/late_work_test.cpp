#include "pipeline/scripts/late_work.hpp"

#include <boost/asio/this_coro.hpp>
#include <gtest/gtest.h>

#include "base/doorbell.hpp"
#include "base/pause.hpp"
#include "tests/support/run_async.hpp"

namespace heddle::pipeline {
namespace {

using namespace std::chrono_literals;

Deadline in(std::chrono::milliseconds time) {
  return std::chrono::steady_clock::now() + time;
}

Async<void> work_for(std::chrono::milliseconds time, int& done) {
  co_await pause_for(time);
  ++done;
}

Async<int> begin_three_and_wait(LateWork& late) {
  const auto loop = co_await boost::asio::this_coro::executor;
  int done = 0;
  for (int i = 1; i <= 3; ++i) late.begin(loop, work_for(i * 5ms, done));
  const bool is_idle = co_await late.idle(in(30s));
  co_return is_idle ? done : -1;
}

TEST(LateWork, IsSeenThrough) {
  LateWork late;
  EXPECT_EQ(testing::run_async(begin_three_and_wait(late)), 3);
  EXPECT_EQ(late.under_way(), 0U);
}

Async<void> wait_for_ring(std::shared_ptr<Doorbell> bell) {
  co_await bell->wait();
}

Async<bool> give_up_waiting(LateWork& late) {
  const auto loop = co_await boost::asio::this_coro::executor;
  const auto bell = std::make_shared<Doorbell>();
  late.begin(loop, wait_for_ring(bell));
  const bool was_idle = co_await late.idle(in(5ms));
  const auto left = late.under_way();
  bell->ring_for_good();
  const bool is_idle = co_await late.idle(in(30s));
  co_return !was_idle && left == 1 && is_idle;
}

TEST(LateWork, IsNotWaitedForPastTheDeadline) {
  LateWork late;
  EXPECT_TRUE(testing::run_async(give_up_waiting(late)));
}

Async<bool> outlive_its_owner(std::unique_ptr<LateWork> late) {
  const auto loop = co_await boost::asio::this_coro::executor;
  const auto done = std::make_shared<int>(0);
  late->begin(loop, work_for(5ms, *done));
  late.reset();
  while (*done == 0) co_await pause_for(1ms);
  co_return true;
}

TEST(LateWork, MayOutliveItsOwner) {
  EXPECT_TRUE(testing::run_async(outlive_its_owner(std::make_unique<LateWork>())));
}

}  // namespace
}  // namespace heddle::pipeline
