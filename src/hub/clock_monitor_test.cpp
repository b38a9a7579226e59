#include "hub/clock_monitor.hpp"

#include "hub/outbox/outbox_for_test.hpp"

namespace heddle::hub {
namespace {

using namespace std::chrono_literals;

class ClockMonitorTest : public Outbox {
 protected:
  ClockMonitorTest() { check(); }

  void check() { ASSERT_TRUE(testing::run_async(monitor_.check())); }

  // Time passes as in a daemon: the clock is checked before every pass.
  void pass_for(std::chrono::milliseconds time, std::chrono::milliseconds step) {
    for (auto passed = 0ms; passed < time; passed += step) {
      clock_.advance(step);
      check();
      ASSERT_TRUE(pass());
    }
  }

  ClockMonitor monitor_{store_, clock_};
};

TEST_F(ClockMonitorTest, RetriesAMessageInTimeAfterTheClockWasSetBack) {
  receiver_.down_for = 3;
  put("a");
  ASSERT_TRUE(pass());
  clock_.jump(-2h);
  pass_for(1min, 1s);
  EXPECT_EQ(receiver_.requests, 4);
  EXPECT_EQ(count("sent"), 1U);
}

TEST_F(ClockMonitorTest, TriesForSeventyTwoHoursWhateverTheClockShows) {
  receiver_.down_for = 1'000'000;
  put("a");
  ASSERT_TRUE(pass());
  pass_for(1h, 1min);
  clock_.jump(24h * 4);
  pass_for(70h, 10min);
  EXPECT_EQ(count("waiting"), 1U);
  clock_.jump(-24h * 8);
  pass_for(3h, 10min);
  EXPECT_EQ(count("dead"), 1U);
}

TEST_F(ClockMonitorTest, DoesNotRetryEarlierWhenTheClockIsPutForward) {
  receiver_.down_for = 1'000'000;
  put("a");
  ASSERT_TRUE(pass());
  pass_for(40s, 1s);  // the next attempt is five minutes later
  const int before = receiver_.requests;
  clock_.jump(2h);
  pass_for(4min, 10s);
  EXPECT_EQ(receiver_.requests, before);
  pass_for(2min, 10s);
  EXPECT_EQ(receiver_.requests, before + 1);
}

TEST_F(ClockMonitorTest, TriesAgainWhenTheStoreCouldNotBeWritten) {
  put("a");
  clock_.jump(-2h);
  store_.can_write = false;
  EXPECT_FALSE(testing::run_async(monitor_.check()));
  store_.can_write = true;
  check();
  EXPECT_EQ(store_.rows["a"].delivery.due_at, clock_.now());
}

TEST_F(ClockMonitorTest, DistrustsAgesForAnHourAfterALargeStepForward) {
  EXPECT_TRUE(monitor_.can_trust_ages());
  clock_.jump(30min);
  check();
  EXPECT_TRUE(monitor_.can_trust_ages());
  clock_.jump(24h * 365);
  check();
  EXPECT_FALSE(monitor_.can_trust_ages());
  clock_.advance(1h);
  check();
  EXPECT_TRUE(monitor_.can_trust_ages());
}

}  // namespace
}  // namespace heddle::hub
