#include "commands/start_gate.hpp"

#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rethrow_bug.hpp"

namespace heddle::commands {
namespace {

using ::testing::ElementsAre;

class StartGateTest : public ::testing::Test {
 protected:
  // Starts something that takes no time at all.
  Async<void> start(int number) {
    StartGate::Turn turn = co_await gate_.enter();
    order_.push_back(number);
    turn.end();
  }
  void spawn(int number) { boost::asio::co_spawn(loop_, start(number), rethrow_bug); }

  boost::asio::io_context loop_;
  StartGate gate_;
  std::vector<int> order_;
};

TEST_F(StartGateTest, LetsThemInInTheOrderInWhichTheyCame) {
  for (int number = 1; number <= 4; ++number) spawn(number);
  loop_.run();
  EXPECT_THAT(order_, ElementsAre(1, 2, 3, 4));
}

TEST_F(StartGateTest, LetsOthersHaveTheirTurnBetweenTwo) {
  for (int number = 1; number <= 3; ++number) spawn(number);
  boost::asio::post(loop_, [this] { order_.push_back(0); });  // behind all of them
  loop_.run();
  EXPECT_THAT(order_, ElementsAre(1, 0, 2, 3));
}

TEST_F(StartGateTest, IsOpenAgainAfterwards) {
  spawn(1);
  loop_.run();
  loop_.restart();
  spawn(2);
  loop_.run();
  EXPECT_THAT(order_, ElementsAre(1, 2));
}

}  // namespace
}  // namespace heddle::commands
