#include "base/log/redact.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(Redact, ReplacesEverySecret) {
  EXPECT_EQ(redact("a=hunter2&b=hunter2", {"hunter2"}), "a=[redacted]&b=[redacted]");
}

TEST(Redact, ReplacesTheLongerOfTwoOverlappingSecrets) {
  EXPECT_EQ(redact("token-long", {"token", "token-long"}), "[redacted]");
}

TEST(Redact, IgnoresSecretsThatAreTooShort) {
  EXPECT_EQ(redact("port 80", {"80", ""}), "port 80");
}

TEST(Redact, LeavesOtherTextAsItIs) {
  EXPECT_EQ(redact("nothing here", {"hunter2"}), "nothing here");
}

TEST(Redact, FindsTheEncodingsOfASecret) {
  EXPECT_THAT(secret_encodings("a/b\"c"),
              ::testing::UnorderedElementsAre("a/b\"c", "a/b\\\"c", "a\\/b\\\"c", "a%2Fb%22c",
                                              "a%2fb%22c", "a/b%22c", "a/b&quot;c"));
  EXPECT_THAT(secret_encodings("plain"), ::testing::ElementsAre("plain"));
}

TEST(RedactEnd, LeavesNoPartOfASplitSecret) {
  EXPECT_EQ(redact_end("xxopen sesame and more", {"open sesame"}, 11), "[redacted] and more");
  EXPECT_EQ(redact_end("0123456789 and open sesame", {"open sesame"}, 10), " and [redacted]");
  EXPECT_EQ(redact_end("short", {}, 10), "");
}

TEST(SecretsWithLines, AddsTheLongLinesOfSecrets) {
  EXPECT_EQ(secrets_with_lines({"one", "a longer line\r\nshort\nanother line"}),
            (std::vector<std::string>{"one", "a longer line\r\nshort\nanother line",
                                      "a longer line", "another line"}));
}

}  // namespace
}  // namespace heddle
