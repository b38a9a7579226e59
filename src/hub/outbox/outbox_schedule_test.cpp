#include <gtest/gtest.h>

#include "hub/outbox/outbox_sender.hpp"

namespace heddle::hub {
namespace {

using namespace std::chrono_literals;

TEST(DeliverySchedule, WaitsLongerAfterEveryAttemptUpToAnHour) {
  const std::vector<std::chrono::seconds> expected{1s, 5s, 30s, 5min, 30min, 1h, 1h, 1h};
  for (int attempt = 1; attempt <= 8; ++attempt)
    EXPECT_EQ(next_attempt({0ms, attempt}), expected[static_cast<std::size_t>(attempt) - 1]);
}

TEST(DeliverySchedule, WaitsAsLongAsTheReceiverAsks) {
  EXPECT_EQ(next_attempt({0ms, 1, 120s}), 120s);
  EXPECT_EQ(next_attempt({0ms, 5, 120s}), 30min);
}

TEST(DeliverySchedule, MakesALastAttemptAtTheEnd) {
  EXPECT_EQ(next_attempt({71h + 30min, 50}), 30min);
  EXPECT_EQ(next_attempt({0ms, 1, 24h * 365}), 72h);
}

TEST(DeliverySchedule, GivesUpAfterSeventyTwoHoursOfWaiting) {
  EXPECT_EQ(next_attempt({72h, 50}), std::nullopt);
}

TEST(DeliverySchedule, TreatsAnAttemptCountOfZeroAsTheFirst) {
  EXPECT_EQ(next_attempt({0ms, 0}), 1s);
}

}  // namespace
}  // namespace heddle::hub
