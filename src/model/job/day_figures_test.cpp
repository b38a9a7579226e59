#include "model/job/day_figures.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(DateText, NamesTheDayThatIsCountedFrom1970) {
  EXPECT_EQ(date_text(0), "1970-01-01");
  EXPECT_EQ(date_text(20'773), "2026-11-16");
  EXPECT_EQ(date_text(-1), "1969-12-31");
}

TEST(PriceDay, WeighsAveragesByTheirPoints) {
  PriceDay sum;
  add(sum, {.points = 3, .lowest = 2, .highest = 6, .average = 4});
  add(sum, {.points = 1, .lowest = 8, .highest = 8, .average = 8});
  add(sum, {});
  EXPECT_EQ(sum.points, 4);
  EXPECT_EQ(sum.lowest, 2);
  EXPECT_EQ(sum.highest, 8);
  EXPECT_DOUBLE_EQ(sum.average, 5);
}

TEST(RunDay, HasPriceChangesWhenOneOfItsPartsDoes) {
  RunDay sum;
  add(sum, {.runs = 1});
  EXPECT_FALSE(sum.price_changes);
  add(sum, {.runs = 1, .price_changes = 0});
  add(sum, {.runs = 1, .price_changes = 2});
  EXPECT_EQ(sum.runs, 3);
  EXPECT_EQ(sum.price_changes, 2);
}

}  // namespace
}  // namespace heddle
