#include "hub/deliveries_in_hand.hpp"

#include <gtest/gtest.h>

namespace heddle::hub {
namespace {

const DeliveryId kId{"d1"};

TEST(DeliveriesInHand, BelongToTheFirstWhoTakesThem) {
  DeliveriesInHand hand;
  const auto first = hand.begin_reading();
  const auto second = hand.begin_reading();
  EXPECT_TRUE(hand.take(first, kId));
  EXPECT_FALSE(hand.take(second, kId));
  EXPECT_TRUE(hand.is_in_hand(kId));
}

TEST(DeliveriesInHand, AreNotForAReadingThatBeganBeforeTheyWerePutDown) {
  DeliveriesInHand hand;
  const auto first = hand.begin_reading();
  const auto stale = hand.begin_reading();
  ASSERT_TRUE(hand.take(first, kId));
  hand.put_down(kId);
  hand.end_reading(first);
  EXPECT_FALSE(hand.is_in_hand(kId));
  EXPECT_FALSE(hand.take(stale, kId));
}

TEST(DeliveriesInHand, AreForAReadingThatBeganAfterwards) {
  DeliveriesInHand hand;
  const auto first = hand.begin_reading();
  ASSERT_TRUE(hand.take(first, kId));
  hand.put_down(kId);
  const auto fresh = hand.begin_reading();
  EXPECT_TRUE(hand.take(fresh, kId));
}

}  // namespace
}  // namespace heddle::hub
