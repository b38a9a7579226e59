#include "base/redact.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(Redact, ReplacesEverySecret) {
  EXPECT_EQ(redact("a=hunter2&b=hunter2", {"hunter2"}), "a=[redacted]&b=[redacted]");
}

TEST(Redact, TakesTheLongerOfTwoOverlappingSecrets) {
  EXPECT_EQ(redact("token-long", {"token", "token-long"}), "[redacted]");
}

TEST(Redact, LeavesTextsThatAreTooShortToBeSecret) {
  EXPECT_EQ(redact("port 80", {"80", ""}), "port 80");
}

TEST(Redact, LeavesOtherTextAsItIs) {
  EXPECT_EQ(redact("nothing here", {"hunter2"}), "nothing here");
}

TEST(Redact, KnowsHowASecretLooksInsideUrlsAndJson) {
  EXPECT_THAT(spellings_of_secret("a/b\"c"),
              ::testing::ElementsAre("a/b\"c", "a%2Fb%22c", "a/b\\\"c"));
  EXPECT_THAT(spellings_of_secret("plain"), ::testing::ElementsAre("plain"));
}

}  // namespace
}  // namespace heddle
