#include "pages/values/number.hpp"

#include <gtest/gtest.h>

namespace heddle::pages {
namespace {

TEST(ReadNumber, ReadsTheFirstNumberOfAText) {
  EXPECT_EQ(read_number("4,5 / 5"), "4.5");
  EXPECT_EQ(read_number("4.5 out of 5 stars"), "4.5");
  EXPECT_EQ(read_number("1,234 reviews"), "1234");
  EXPECT_EQ(read_number("(1.234 Bewertungen)"), "1234");
  EXPECT_EQ(read_number("85 %"), "85");
  EXPECT_EQ(read_number("1 234 567"), "1234567");
}

TEST(ReadNumber, KeepsTheDigitsExactly) {
  EXPECT_EQ(read_number("0.10"), "0.10");
  EXPECT_EQ(read_number("00.5"), "0.5");
  EXPECT_EQ(read_number("12345678901234567890.12"), "12345678901234567890.12");
}

TEST(ReadNumber, ReadsSigns) {
  EXPECT_EQ(read_number("-5,5 °C"), "-5.5");
  EXPECT_EQ(read_number("\u22125"), "-5");
  EXPECT_EQ(read_number("3-5"), "3");
  EXPECT_EQ(read_number("A-5"), "5");
  EXPECT_EQ(read_number("-0"), "0");
}

TEST(ReadNumber, ReadsMagnitudes) {
  EXPECT_EQ(read_number("1.2k views"), "1200");
  EXPECT_EQ(read_number("3,4 Mio. Aufrufe"), "3400000");
  EXPECT_EQ(read_number("2M"), "2000000");
  EXPECT_EQ(read_number("2m"), "2");
  EXPECT_EQ(read_number("1.5万"), "15000");
}

TEST(ReadNumber, PrefersNumbersOutsideOfWords) {
  EXPECT_EQ(read_number("B2B: 15"), "15");
  EXPECT_EQ(read_number("v7"), "7");
}

TEST(ReadNumber, ReturnsNothingWithoutANumber) {
  EXPECT_EQ(read_number(""), std::nullopt);
  EXPECT_EQ(read_number("none"), std::nullopt);
  EXPECT_EQ(read_number("1.2.3"), std::nullopt);
}

TEST(ShiftDecimal, MovesThePointBothWays) {
  EXPECT_EQ(shift_decimal("1.25", 3), "1250");
  EXPECT_EQ(shift_decimal("1.25", 1), "12.5");
  EXPECT_EQ(shift_decimal("99", -2), "0.99");
  EXPECT_EQ(shift_decimal("5", -2), "0.05");
  EXPECT_EQ(shift_decimal("0", 3), "0");
}

TEST(IsLess, ComparesDecimalsAsNumbers) {
  EXPECT_TRUE(is_less("9", "10"));
  EXPECT_TRUE(is_less("1", "1.5"));
  EXPECT_TRUE(is_less("1.05", "1.5"));
  EXPECT_FALSE(is_less("2", "1.9"));
  EXPECT_FALSE(is_less("10", "10"));
}

}  // namespace
}  // namespace heddle::pages
