#include "base/wake_signal.hpp"

#include <optional>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

namespace heddle {
namespace {

using namespace std::chrono_literals;

Async<void> wait_and_count(WakeSignal& signal, int& woken) {
  co_await signal.wait();
  ++woken;
}

class WakeSignalTest : public ::testing::Test {
 protected:
  void spawn() {
    boost::asio::co_spawn(loop, wait_and_count(*signal, woken), boost::asio::detached);
    loop.poll();
    loop.restart();
  }

  boost::asio::io_context loop;
  std::optional<WakeSignal> signal{std::in_place};
  int woken = 0;
};

TEST_F(WakeSignalTest, WakesAllWaiters) {
  spawn();
  spawn();
  EXPECT_EQ(woken, 0);
  signal->notify();
  loop.run();
  EXPECT_EQ(woken, 2);
}

TEST_F(WakeSignalTest, DoesNotWakeLaterWaiters) {
  signal->notify();
  spawn();
  EXPECT_EQ(woken, 0);
  signal->notify();
  loop.run();
  EXPECT_EQ(woken, 1);
}

TEST_F(WakeSignalTest, ReturnsFalseToLaterWaitersOnceClosed) {
  spawn();
  signal->close();
  spawn();
  spawn();
  EXPECT_EQ(woken, 3);
  EXPECT_TRUE(signal->is_closed());
}

TEST_F(WakeSignalTest, DistinguishesADeadlineFromClosing) {
  std::optional<bool> is_open;
  const auto wait = [&]() -> Async<void> { is_open = co_await signal->wait_for(1ms); };
  boost::asio::co_spawn(loop, wait(), boost::asio::detached);
  loop.run();
  EXPECT_EQ(is_open, true);
  boost::asio::co_spawn(loop, wait(), boost::asio::detached);
  signal->close();
  loop.restart();
  loop.run();
  EXPECT_EQ(is_open, false);
}

TEST_F(WakeSignalTest, WakesWaitersWhenDestroyed) {
  spawn();
  signal.reset();
  loop.run();
  EXPECT_EQ(woken, 1);
}

Async<void> wait_a_moment(WakeSignal& signal, bool& is_over) {
  co_await signal.wait(std::chrono::steady_clock::now() + 1ms);
  is_over = true;
}

TEST_F(WakeSignalTest, WaitsNoLongerThanTheDeadline) {
  bool is_over = false;
  boost::asio::co_spawn(loop, wait_a_moment(*signal, is_over), boost::asio::detached);
  loop.run();
  EXPECT_TRUE(is_over);
}

}  // namespace
}  // namespace heddle
