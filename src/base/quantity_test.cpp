#include "base/quantity.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(Quantity, HasThePluralOfItsNumber) {
  EXPECT_EQ(counted(0, "page"), "0 pages");
  EXPECT_EQ(counted(1, "page"), "1 page");
  EXPECT_EQ(counted(2, "page"), "2 pages");
  EXPECT_EQ(counted(1, "entry", "entries"), "1 entry");
  EXPECT_EQ(counted(2, "entry", "entries"), "2 entries");
}

TEST(Quantity, HasTheUnitThatFitsASize) {
  EXPECT_EQ(size_text(0), "0 B");
  EXPECT_EQ(size_text(999), "999 B");
  EXPECT_EQ(size_text(1000), "1.0 kB");
  EXPECT_EQ(size_text(999'949), "999.9 kB");
  EXPECT_EQ(size_text(999'950), "1.0 MB");
  EXPECT_EQ(size_text(12'345'678), "12.3 MB");
  EXPECT_EQ(size_text(4'000'000'000'000), "4.0 TB");
}

}  // namespace
}  // namespace heddle
