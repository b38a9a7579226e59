#include "net/hosts/retry_after.hpp"

#include <gtest/gtest.h>

namespace heddle::net {
namespace {

using namespace std::chrono_literals;

const WallTime kNow = *parse_iso8601("1999-12-31T23:59:00Z");

TEST(RetryAfter, ReadsSeconds) {
  EXPECT_EQ(parse_retry_after("120", kNow), 120s);
  EXPECT_EQ(parse_retry_after(" 0 ", kNow), 0s);
  EXPECT_EQ(parse_retry_after("99999999999999999999999", kNow), 24h);
  EXPECT_EQ(parse_retry_after("999999", kNow), 24h);
}

TEST(RetryAfter, ReadsHttpDates) {
  EXPECT_EQ(parse_retry_after("Fri, 31 Dec 1999 23:59:59 GMT", kNow), 59s);
  EXPECT_EQ(parse_retry_after("Friday, 31-Dec-99 23:59:59 GMT", kNow), 59s);
  EXPECT_EQ(parse_retry_after("Fri Dec 31 23:59:59 1999", kNow), 59s);
  EXPECT_EQ(parse_retry_after("Fri, 31 Dec 1999 23:00:00 GMT", kNow), 0s);
  EXPECT_EQ(parse_retry_after("Fri, 31 Dec 2099 23:00:00 GMT", kNow), 24h);
}

TEST(RetryAfter, RefusesEverythingElse) {
  for (const char* value : {"", "soon", "-5", "5s", "1.5", "Fri", "12:", ":"})
    EXPECT_EQ(parse_retry_after(value, kNow), std::nullopt) << value;
}

TEST(RetryAfter, RequestsAWaitOnlyForOverload) {
  const auto answer = [](int status, Headers headers) {
    FetchResponse made;
    made.status = status;
    made.headers = std::move(headers);
    return made;
  };
  RetryPolicy policy;
  policy.base = 2s;
  policy.cap = 1min;
  EXPECT_EQ(asked_to_wait(answer(429, {{"retry-after", "7"}}), policy, kNow), 7s);
  EXPECT_EQ(asked_to_wait(answer(503, {{"retry-after", "7"}}), policy, kNow), 7s);
  EXPECT_EQ(asked_to_wait(answer(503, {{"retry-after", "86400"}}), policy, kNow), 1min);
  EXPECT_EQ(asked_to_wait(answer(429, {}), policy, kNow), 2s);
  EXPECT_EQ(asked_to_wait(answer(500, {{"retry-after", "7"}}), policy, kNow), std::nullopt);
  EXPECT_EQ(asked_to_wait(answer(200, {{"retry-after", "7"}}), policy, kNow), std::nullopt);
}

}  // namespace
}  // namespace heddle::net
