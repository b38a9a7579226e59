#include "notify/retry_after.hpp"

#include <gtest/gtest.h>

namespace heddle::notify {
namespace {

using namespace std::chrono_literals;

const WallTime kNow = *parse_iso8601("2026-03-12T10:00:00Z");

TEST(RetryAfter, ReadsSeconds) {
  EXPECT_EQ(read_retry_after("120", kNow), 120s);
  EXPECT_EQ(read_retry_after(" 0 ", kNow), 0s);
}

TEST(RetryAfter, ReadsHttpDates) {
  EXPECT_EQ(read_retry_after("Thu, 12 Mar 2026 10:01:30 GMT", kNow), 90s);
  EXPECT_EQ(read_retry_after("Thu, 12 Mar 2026 09:00:00 GMT", kNow), 0s);
}

TEST(RetryAfter, IgnoresAnythingElse) {
  for (const char* text : {"", "soon", "-5", "1.5", "99999999999999", "2026-03-12", "Thu, 42 Mar"})
    EXPECT_EQ(read_retry_after(text, kNow), std::nullopt) << text;
}

}  // namespace
}  // namespace heddle::notify
