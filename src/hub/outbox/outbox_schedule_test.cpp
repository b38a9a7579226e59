#include <gtest/gtest.h>

#include "hub/outbox/outbox_sender.hpp"

namespace heddle::hub {
namespace {

using namespace std::chrono_literals;

constexpr WallTime kStart{1000h};

TEST(DeliverySchedule, WaitsLongerAfterEveryAttemptUpToAnHour) {
  const std::vector<std::chrono::seconds> expected{1s, 5s, 30s, 5min, 30min, 1h, 1h, 1h};
  for (int attempt = 1; attempt <= 8; ++attempt)
    EXPECT_EQ(next_attempt({kStart, attempt}, kStart),
              kStart + expected[static_cast<std::size_t>(attempt) - 1]);
}

TEST(DeliverySchedule, WaitsAsLongAsTheReceiverAsks) {
  EXPECT_EQ(next_attempt({kStart, 1, 120s}, kStart), kStart + 120s);
  EXPECT_EQ(next_attempt({kStart, 5, 120s}, kStart), kStart + 30min);
}

TEST(DeliverySchedule, MakesALastAttemptAtTheEnd) {
  EXPECT_EQ(next_attempt({kStart, 50}, kStart + 71h + 30min), kStart + 72h);
  EXPECT_EQ(next_attempt({kStart, 1, 24h * 365}, kStart), kStart + 72h);
}

TEST(DeliverySchedule, GivesUpAfterSeventyTwoHours) {
  EXPECT_EQ(next_attempt({kStart, 50}, kStart + 72h), std::nullopt);
}

TEST(DeliverySchedule, TreatsAnAttemptCountOfZeroAsTheFirst) {
  EXPECT_EQ(next_attempt({kStart, 0}, kStart), kStart + 1s);
}

}  // namespace
}  // namespace heddle::hub
