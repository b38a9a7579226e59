#include "notify/webhook_signature.hpp"

#include <gtest/gtest.h>

namespace heddle::notify {
namespace {

using namespace std::chrono_literals;

// The message of the Standard Webhooks reference tests; the digest was checked with Python's
// command line as well.
constexpr std::string_view kBody = R"({"test": 2432232314})";
constexpr std::string_view kId = "msg_p5jXN8AQM9LWM0D4loKWxJek";
constexpr WallTime kTime{1614265330s};
const std::string kSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const std::string kSignature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
const std::string kOtherSecret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

Headers signed_headers(const std::vector<std::string>& secrets) {
  auto headers = webhook_headers(secrets, {kId, kTime, kBody});
  EXPECT_TRUE(headers);
  return *headers;
}

void replace(Headers& headers, std::string_view name, std::string value) {
  for (auto& [header, text] : headers)
    if (header == name) text = value;
}

bool is_accepted(const std::vector<std::string>& secrets, const Headers& headers,
                 std::string_view body = kBody, WallTime now = kTime) {
  return static_cast<bool>(verify_webhook(secrets, headers, body, now));
}

TEST(WebhookSignature, MatchesTheReferenceTests) {
  EXPECT_EQ(webhook_signature(*webhook_key(kSecret), {kId, kTime, kBody}), kSignature);
}

TEST(WebhookSignature, NeedsNoPrefixOnTheSecret) {
  EXPECT_EQ(*webhook_key(kSecret), *webhook_key(kSecret.substr(6)));
  EXPECT_EQ(webhook_key(kSecret)->size(), 24U);
}

TEST(WebhookSignature, ReadsPaddedSecrets) {
  EXPECT_EQ(*webhook_key("whsec_YWI="), "ab");
  EXPECT_EQ(*webhook_key("YQ=="), "a");
}

TEST(WebhookSignature, RefusesSecretsThatAreNoBase64WithoutQuotingThem) {
  for (const char* secret : {"", "whsec_", "my password!", "abc", "ab d", "====", "whsec_a*cd"}) {
    const auto key = webhook_key(secret);
    ASSERT_FALSE(key) << secret;
    EXPECT_EQ(key.error().message.find("password"), std::string::npos);
  }
}

TEST(WebhookHeaders, CarryIdTimeAndOneSignaturePerSecret) {
  const Headers headers = signed_headers({kSecret, kOtherSecret});

  EXPECT_EQ(*find_header(headers, "webhook-id"), kId);
  EXPECT_EQ(*find_header(headers, "webhook-timestamp"), "1614265330");
  EXPECT_EQ(*find_header(headers, "webhook-signature"),
            kSignature + " " + webhook_signature(*webhook_key(kOtherSecret), {kId, kTime, kBody}));
}

TEST(WebhookHeaders, HaveNoSignatureWithoutSecrets) {
  EXPECT_EQ(find_header(signed_headers({}), "webhook-signature"), nullptr);
}

TEST(VerifyWebhook, AcceptsWhatWasSigned) {
  EXPECT_TRUE(is_accepted({kSecret}, signed_headers({kSecret})));
}

TEST(VerifyWebhook, AcceptsEitherSecretDuringARotation) {
  const Headers both = signed_headers({kSecret, kOtherSecret});
  EXPECT_TRUE(is_accepted({kSecret}, both));
  EXPECT_TRUE(is_accepted({kOtherSecret}, both));
  EXPECT_TRUE(is_accepted({kSecret, kOtherSecret}, signed_headers({kOtherSecret})));
}

TEST(VerifyWebhook, RefusesAnotherBodyIdTimeSecretOrVersion) {
  const Headers good = signed_headers({kSecret});
  EXPECT_FALSE(is_accepted({kSecret}, good, R"({"test": 2432232315})"));
  EXPECT_FALSE(is_accepted({kOtherSecret}, good));
  EXPECT_FALSE(is_accepted({}, good));
  Headers changed = good;
  replace(changed, "webhook-id", "msg_other");
  EXPECT_FALSE(is_accepted({kSecret}, changed));
  changed = good;
  replace(changed, "webhook-timestamp", "1614265331");
  EXPECT_FALSE(is_accepted({kSecret}, changed));
  changed = good;
  replace(changed, "webhook-signature", "v2," + kSignature.substr(3));
  EXPECT_FALSE(is_accepted({kSecret}, changed));
}

TEST(VerifyWebhook, RefusesReplaysOutsideTheTolerance) {
  const Headers headers = signed_headers({kSecret});
  EXPECT_TRUE(is_accepted({kSecret}, headers, kBody, kTime + 5min));
  EXPECT_TRUE(is_accepted({kSecret}, headers, kBody, kTime - 5min));
  EXPECT_FALSE(is_accepted({kSecret}, headers, kBody, kTime + 5min + 1ms));
  EXPECT_FALSE(is_accepted({kSecret}, headers, kBody, kTime - 5min - 1ms));
}

TEST(VerifyWebhook, RefusesMissingOrBrokenHeaders) {
  for (const char* name : {"webhook-id", "webhook-timestamp", "webhook-signature"}) {
    Headers headers = signed_headers({kSecret});
    replace(headers, name, "");
    EXPECT_FALSE(is_accepted({kSecret}, headers)) << name;
  }
  for (const char* time : {"soon", "1614265330.0", "-1", "99999999999999999999", "1614265330 "}) {
    Headers headers = signed_headers({kSecret});
    replace(headers, "webhook-timestamp", time);
    EXPECT_FALSE(is_accepted({kSecret}, headers)) << time;
  }
}

}  // namespace
}  // namespace heddle::notify
