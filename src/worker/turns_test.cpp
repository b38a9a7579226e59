#include "worker/turns.hpp"

#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

namespace heddle::worker {
namespace {

class TurnsTest : public ::testing::Test {
 protected:
  Async<void> take(int who) {
    auto turn = co_await turns_.take();
    order_.push_back(who);
    held_.push_back(std::move(turn));
  }

  void ask(int who) { boost::asio::co_spawn(loop_, take(who), boost::asio::detached); }

  void settle() {
    loop_.restart();
    loop_.poll();
  }

  boost::asio::io_context loop_{1};
  Turns turns_{loop_.get_executor(), 2};
  std::vector<Turns::Turn> held_;
  std::vector<int> order_;
};

TEST_F(TurnsTest, AreAsManyAsWereAskedFor) {
  for (int who = 1; who <= 4; ++who) ask(who);
  settle();
  EXPECT_EQ(order_, (std::vector<int>{1, 2}));
  held_.clear();
}

TEST_F(TurnsTest, GoToThoseWhoWaitInTheirOrder) {
  for (int who = 1; who <= 4; ++who) ask(who);
  settle();
  held_.reserve(4);
  held_[1].give_back();
  settle();
  EXPECT_EQ(order_, (std::vector<int>{1, 2, 3}));
  held_[0].give_back();
  settle();
  EXPECT_EQ(order_, (std::vector<int>{1, 2, 3, 4}));
}

TEST_F(TurnsTest, AreGivenBackOnlyOnce) {
  for (int who = 1; who <= 4; ++who) ask(who);
  settle();
  held_[0].give_back();
  held_[0].give_back();
  held_.pop_back();
  settle();
  EXPECT_EQ(order_.size(), 4u);
  for (int who = 5; who <= 6; ++who) ask(who);
  settle();
  EXPECT_EQ(order_.size(), 4u) << "two turns are held";
}

}  // namespace
}  // namespace heddle::worker
