#include "cli/since.hpp"

#include <gtest/gtest.h>

namespace heddle::cli {
namespace {

using namespace std::chrono_literals;

const WallTime kNow = *parse_iso8601("2026-11-15T12:00:00Z");

TEST(ParseSince, AcceptsAPointInTime) {
  EXPECT_EQ(parse_since("2026-11-01", kNow), parse_iso8601("2026-11-01T00:00:00Z"));
  EXPECT_EQ(parse_since("2026-11-01T08:00+02:00", kNow), parse_iso8601("2026-11-01T06:00:00Z"));
}

TEST(ParseSince, AcceptsAnAge) {
  EXPECT_EQ(parse_since("7d", kNow), kNow - 168h);
  EXPECT_EQ(parse_since("1h30m", kNow), kNow - 90min);
  EXPECT_EQ(parse_since("2w", kNow), kNow - 336h);
}

TEST(ParseSince, RefusesAnyOtherText) {
  for (const char* text : {"", "yesterday", "7", "d", "7x", "99999999999999999999d", "-1d"})
    EXPECT_EQ(parse_since(text, kNow), std::nullopt) << text;
}

}  // namespace
}  // namespace heddle::cli
