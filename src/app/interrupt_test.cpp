#include "app/interrupt.hpp"

#include <csignal>

#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

namespace heddle::app {
namespace {

TEST(Interrupt, CallsItsFunctionOnTheLoopAtTheFirstSignal) {
  boost::asio::io_context loop;
  int calls = 0;
  const Interrupt interrupt(loop, [&calls] { ++calls; });
  std::raise(SIGTERM);
  EXPECT_EQ(calls, 0);
  loop.run();
  EXPECT_EQ(calls, 1);
}

// Two signals in a process whose loop never runs: 1 when the second one did not end it.
[[noreturn]] void interrupt_twice(int first, int second) {
  boost::asio::io_context loop;
  const Interrupt interrupt(loop, [] {});
  std::raise(first);
  std::raise(second);
  std::_Exit(1);
}

TEST(InterruptDeathTest, EndsTheProcessAtTheSecondSignalThoughTheLoopHasNotSeenTheFirst) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(interrupt_twice(SIGTERM, SIGTERM), ::testing::ExitedWithCode(130), "");
  EXPECT_EXIT(interrupt_twice(SIGINT, SIGTERM), ::testing::ExitedWithCode(130), "");
}

TEST(InterruptDeathTest, LeavesSignalsToTheSystemWhenItIsGone) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const auto interrupt_afterwards = [] {
    boost::asio::io_context loop;
    {
      const Interrupt interrupt(loop, [] {});
    }
    std::raise(SIGTERM);
  };
  EXPECT_EXIT(interrupt_afterwards(), ::testing::KilledBySignal(SIGTERM), "");
}

}  // namespace
}  // namespace heddle::app
