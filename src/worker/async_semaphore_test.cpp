#include "worker/async_semaphore.hpp"

#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

namespace heddle::worker {
namespace {

class AsyncSemaphoreTest : public ::testing::Test {
 protected:
  Async<void> acquire(int id) {
    auto permit = co_await semaphore_.acquire();
    order_.push_back(id);
    held_.push_back(std::move(permit));
  }

  void start(int id) { boost::asio::co_spawn(loop_, acquire(id), boost::asio::detached); }

  void settle() {
    loop_.restart();
    loop_.poll();
  }

  boost::asio::io_context loop_{1};
  AsyncSemaphore semaphore_{loop_.get_executor(), 2};
  std::vector<AsyncSemaphore::Permit> held_;
  std::vector<int> order_;
};

TEST_F(AsyncSemaphoreTest, LimitsThePermits) {
  for (int id = 1; id <= 4; ++id) start(id);
  settle();
  EXPECT_EQ(order_, (std::vector<int>{1, 2}));
  held_.clear();
}

TEST_F(AsyncSemaphoreTest, ServesWaitersInOrder) {
  for (int id = 1; id <= 4; ++id) start(id);
  settle();
  held_.reserve(4);
  held_[1].release();
  settle();
  EXPECT_EQ(order_, (std::vector<int>{1, 2, 3}));
  held_[0].release();
  settle();
  EXPECT_EQ(order_, (std::vector<int>{1, 2, 3, 4}));
}

TEST_F(AsyncSemaphoreTest, ReleasesAPermitOnlyOnce) {
  for (int id = 1; id <= 4; ++id) start(id);
  settle();
  held_[0].release();
  held_[0].release();
  held_.pop_back();
  settle();
  EXPECT_EQ(order_.size(), 4u);
  for (int id = 5; id <= 6; ++id) start(id);
  settle();
  EXPECT_EQ(order_.size(), 4u) << "two turns are held";
}

}  // namespace
}  // namespace heddle::worker
