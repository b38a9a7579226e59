#include "config/read/values/quantity.hpp"

#include <gtest/gtest.h>

namespace heddle::config {
namespace {

using namespace std::chrono_literals;

TEST(Duration, ReadsEachUnit) {
  EXPECT_EQ(parse_duration("250ms"), 250ms);
  EXPECT_EQ(parse_duration("90s"), 90s);
  EXPECT_EQ(parse_duration("10m"), 10min);
  EXPECT_EQ(parse_duration("2h"), 2h);
  EXPECT_EQ(parse_duration("7d"), 168h);
}

TEST(Duration, AddsUnitsUp) {
  EXPECT_EQ(parse_duration("1d2h3m4s5ms"), 26h + 3min + 4s + 5ms);
}

TEST(Duration, ReadsPlainDigitsAsSeconds) {
  EXPECT_EQ(parse_duration("600"), 600s);
}

TEST(Duration, AcceptsFractions) {
  EXPECT_EQ(parse_duration("1.5h"), 90min);
  EXPECT_EQ(seconds_to_duration(0.25), 250ms);
}

TEST(Duration, RefusesInvalidText) {
  for (const char* text :
       {"", " ", "soon", "10 m", "10x", "m", "-5s", "1.s", ".5s", "1..5s", "10m5", "5s1h", "1h1h",
        "1e3s", "99999999999999999999d", "9999999999999999d", "1H"})
    EXPECT_EQ(parse_duration(text), std::nullopt) << text;
}

TEST(Duration, RefusesNumbersOutOfRange) {
  EXPECT_EQ(seconds_to_duration(-1), std::nullopt);
  EXPECT_EQ(seconds_to_duration(1e300), std::nullopt);
  EXPECT_EQ(seconds_to_duration(std::numeric_limits<double>::quiet_NaN()), std::nullopt);
}

TEST(Size, UsesDecimalAndBinaryUnits) {
  EXPECT_EQ(parse_size("10MB"), 10'000'000);
  EXPECT_EQ(parse_size("10MiB"), 10'485'760);
  EXPECT_EQ(parse_size("1KB"), 1000);
  EXPECT_EQ(parse_size("2gib"), 2147483648);
  EXPECT_EQ(parse_size("1TB"), 1'000'000'000'000);
}

TEST(Size, ReadsPlainDigitsAsBytes) {
  EXPECT_EQ(parse_size("512"), 512);
  EXPECT_EQ(parse_size("512 B"), 512);
  EXPECT_EQ(parse_size("1.5 kB"), 1500);
}

TEST(Size, RefusesInvalidText) {
  for (const char* text : {"", "MB", "10XB", "-1MB", "1MB2", "99999999999TB", "0x10"})
    EXPECT_EQ(parse_size(text), std::nullopt) << text;
}

TEST(Percent, IsAboveZeroAndAtMostAHundred) {
  EXPECT_EQ(parse_percent("10%"), 10);
  EXPECT_EQ(parse_percent("0%"), std::nullopt);
  EXPECT_EQ(parse_percent("101%"), std::nullopt);
  EXPECT_EQ(parse_percent("10"), std::nullopt);
}

TEST(TimeOfDay, IsHoursAndMinutes) {
  EXPECT_EQ(parse_time_of_day("08:05"), 485);
  for (const char* text : {"8:00", "24:00", "12:60", "ab:cd", "12-30", ""})
    EXPECT_EQ(parse_time_of_day(text), std::nullopt) << text;
}

}  // namespace
}  // namespace heddle::config
