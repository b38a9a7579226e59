#include "pipeline/scripts/detached_work.hpp"

#include <boost/asio/this_coro.hpp>
#include <gtest/gtest.h>

#include "base/pause.hpp"
#include "base/wake_signal.hpp"
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

Async<int> start_three_and_wait(DetachedWork& detached) {
  const auto loop = co_await boost::asio::this_coro::executor;
  int done = 0;
  for (int i = 1; i <= 3; ++i) detached.start(loop, work_for(i * 5ms, done));
  const bool is_idle = co_await detached.idle(in(30s));
  co_return is_idle ? done : -1;
}

TEST(DetachedWork, IsAwaitedByIdle) {
  DetachedWork detached;
  EXPECT_EQ(testing::run_async(start_three_and_wait(detached)), 3);
  EXPECT_EQ(detached.in_flight(), 0U);
}

Async<void> wait_for_signal(std::shared_ptr<WakeSignal> signal) {
  co_await signal->wait();
}

Async<bool> give_up_waiting(DetachedWork& detached) {
  const auto loop = co_await boost::asio::this_coro::executor;
  const auto signal = std::make_shared<WakeSignal>();
  detached.start(loop, wait_for_signal(signal));
  const bool was_idle = co_await detached.idle(in(5ms));
  const auto left = detached.in_flight();
  signal->close();
  const bool is_idle = co_await detached.idle(in(30s));
  co_return !was_idle && left == 1 && is_idle;
}

TEST(DetachedWork, IsNotAwaitedPastTheDeadline) {
  DetachedWork detached;
  EXPECT_TRUE(testing::run_async(give_up_waiting(detached)));
}

Async<bool> outlive_its_owner(std::unique_ptr<DetachedWork> detached) {
  const auto loop = co_await boost::asio::this_coro::executor;
  const auto done = std::make_shared<int>(0);
  detached->start(loop, work_for(5ms, *done));
  detached.reset();
  while (*done == 0) co_await pause_for(1ms);
  co_return true;
}

TEST(DetachedWork, CanOutliveItsOwner) {
  EXPECT_TRUE(testing::run_async(outlive_its_owner(std::make_unique<DetachedWork>())));
}

}  // namespace
}  // namespace heddle::pipeline
