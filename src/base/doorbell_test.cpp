#include "base/doorbell.hpp"

#include <optional>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

namespace heddle {
namespace {

using namespace std::chrono_literals;

Async<void> wait_and_count(Doorbell& bell, int& woken) {
  co_await bell.wait();
  ++woken;
}

class DoorbellTest : public ::testing::Test {
 protected:
  void spawn() {
    boost::asio::co_spawn(loop, wait_and_count(*bell, woken), boost::asio::detached);
    loop.poll();
    loop.restart();
  }

  boost::asio::io_context loop;
  std::optional<Doorbell> bell{std::in_place};
  int woken = 0;
};

TEST_F(DoorbellTest, WakesEverybodyWhoWaits) {
  spawn();
  spawn();
  EXPECT_EQ(woken, 0);
  bell->ring();
  loop.run();
  EXPECT_EQ(woken, 2);
}

TEST_F(DoorbellTest, DoesNotWakeWhoComesLater) {
  bell->ring();
  spawn();
  EXPECT_EQ(woken, 0);
  bell->ring();
  loop.run();
  EXPECT_EQ(woken, 1);
}

TEST_F(DoorbellTest, WakesWhoeverComesOnceItRingsForGood) {
  spawn();
  bell->ring_for_good();
  spawn();
  spawn();
  EXPECT_EQ(woken, 3);
  EXPECT_TRUE(bell->rings_for_good());
}

TEST_F(DoorbellTest, TellsTimeThatIsOverFromRingingForGood) {
  std::optional<bool> goes_on;
  const auto wait = [&]() -> Async<void> { goes_on = co_await bell->wait_for(1ms); };
  boost::asio::co_spawn(loop, wait(), boost::asio::detached);
  loop.run();
  EXPECT_EQ(goes_on, true);
  boost::asio::co_spawn(loop, wait(), boost::asio::detached);
  bell->ring_for_good();
  loop.restart();
  loop.run();
  EXPECT_EQ(goes_on, false);
}

TEST_F(DoorbellTest, WakesWhoStillWaitsWhenItIsTakenDown) {
  spawn();
  bell.reset();
  loop.run();
  EXPECT_EQ(woken, 1);
}

Async<void> wait_a_moment(Doorbell& bell, bool& is_over) {
  co_await bell.wait(std::chrono::steady_clock::now() + 1ms);
  is_over = true;
}

TEST_F(DoorbellTest, WaitsNoLongerThanTheDeadline) {
  bool is_over = false;
  boost::asio::co_spawn(loop, wait_a_moment(*bell, is_over), boost::asio::detached);
  loop.run();
  EXPECT_TRUE(is_over);
}

}  // namespace
}  // namespace heddle
