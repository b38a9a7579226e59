#include "hub/outbox/in_flight_deliveries.hpp"

#include <gtest/gtest.h>

namespace heddle::hub {
namespace {

const DeliveryId kId{"d1"};

TEST(InFlightDeliveries, BelongToTheFirstReadingThatClaimsThem) {
  InFlightDeliveries deliveries;
  const auto first = deliveries.begin_reading();
  const auto second = deliveries.begin_reading();
  EXPECT_TRUE(deliveries.claim(first, kId));
  EXPECT_FALSE(deliveries.claim(second, kId));
  EXPECT_TRUE(deliveries.is_in_flight(kId));
}

TEST(InFlightDeliveries, CannotBeClaimedByAReadingThatBeganBeforeTheRelease) {
  InFlightDeliveries deliveries;
  const auto first = deliveries.begin_reading();
  const auto stale = deliveries.begin_reading();
  ASSERT_TRUE(deliveries.claim(first, kId));
  deliveries.release(kId);
  deliveries.end_reading(first);
  EXPECT_FALSE(deliveries.is_in_flight(kId));
  EXPECT_FALSE(deliveries.claim(stale, kId));
}

TEST(InFlightDeliveries, CanBeClaimedByALaterReading) {
  InFlightDeliveries deliveries;
  const auto first = deliveries.begin_reading();
  ASSERT_TRUE(deliveries.claim(first, kId));
  deliveries.release(kId);
  const auto fresh = deliveries.begin_reading();
  EXPECT_TRUE(deliveries.claim(fresh, kId));
}

}  // namespace
}  // namespace heddle::hub
