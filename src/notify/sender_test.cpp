#include "notify/sender.hpp"

#include <gtest/gtest.h>

#include "notify/webhook_signature.hpp"
#include "tests/support/run_async.hpp"

namespace heddle::notify {
namespace {

using namespace std::chrono_literals;

const std::string kSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const std::string kNextSecret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

class OneAnswer final : public HttpPoster {
 public:
  Async<PostOutcome> post(FetchRequest request_in) override {
    request = std::move(request_in);
    ++count;
    co_return answer;
  }
  PostOutcome answer = FetchResponse{};
  FetchRequest request;
  int count = 0;
};

class MessageSender : public ::testing::Test {
 protected:
  MessageSender() {
    webhook_.enabled = true;
    webhook_.url = "https://receiver.example/hook";
    delivery_.id = {"01DELIVERY"};
    delivery_.payload = R"({"version":1})";
    answer_with(204);
  }

  void answer_with(int status, Headers headers = {}, std::string body = "") {
    FetchResponse response;
    response.status = status;
    response.headers = std::move(headers);
    response.body = std::move(body);
    poster_.answer = std::move(response);
  }

  SendOutcome send() { return testing::run_async(sender_.send(delivery_, webhook_)); }

  const std::string* header(std::string_view name) {
    return find_header(poster_.request.headers, name);
  }

  ManualClock clock_{*parse_iso8601("2026-03-12T10:00:00Z")};
  NoLog log_;
  OneAnswer poster_;
  Desktop desktop_{{}, log_};
  Sender sender_{poster_, desktop_, clock_};
  WebhookRule webhook_;
  Delivery delivery_;
};

TEST_F(MessageSender, PostsTheStoredBodyWithTheDeliverysId) {
  EXPECT_EQ(send().result, SendResult::delivered);

  EXPECT_EQ(poster_.request.method, "POST");
  EXPECT_EQ(poster_.request.url, "https://receiver.example/hook");
  EXPECT_EQ(poster_.request.body, R"({"version":1})");
  EXPECT_EQ(*header("Content-Type"), "application/json");
  EXPECT_EQ(*header("webhook-id"), "01DELIVERY");
  EXPECT_EQ(*header("Idempotency-Key"), "01DELIVERY");
  EXPECT_EQ(*header("webhook-timestamp"), "1773309600");
  EXPECT_EQ(header("webhook-signature"), nullptr);
  EXPECT_EQ(poster_.request.max_redirects, 0);
}

TEST_F(MessageSender, SignsSoThatEitherSecretVerifies) {
  webhook_.secrets = {kSecret, kNextSecret};
  send();

  for (const std::string& secret : webhook_.secrets)
    EXPECT_TRUE(verify_webhook(std::vector{secret}, poster_.request.headers, delivery_.payload,
                               clock_.now()));
}

TEST_F(MessageSender, SendsTheJobsHeadersButNoForgedIds) {
  webhook_.headers = {{"Authorization", "Bearer x"},
                      {"content-type", "application/vnd.x+json"},
                      {"Webhook-Id", "forged"},
                      {"idempotency-key", "forged"}};
  send();

  EXPECT_EQ(*header("Authorization"), "Bearer x");
  EXPECT_EQ(*header("Content-Type"), "application/vnd.x+json");
  for (const auto& [name, value] : poster_.request.headers) EXPECT_NE(value, "forged") << name;
}

TEST_F(MessageSender, TreatsEvery2xxAsDelivered) {
  for (const int status : {200, 201, 202, 204, 299}) {
    answer_with(status);
    EXPECT_EQ(send().result, SendResult::delivered) << status;
  }
}

TEST_F(MessageSender, RetriesAfterAnyOtherStatusButGone) {
  for (const int status : {301, 308, 400, 401, 404, 408, 425, 429, 500, 503}) {
    answer_with(status);
    EXPECT_EQ(send().result, SendResult::try_again) << status;
  }
  answer_with(410);
  EXPECT_EQ(send().result, SendResult::give_up);
}

TEST_F(MessageSender, QuotesTheResponseOnOneLine) {
  answer_with(400, {}, "  bad\n\x1b[31mtoken " + std::string(1000, 'x'));
  const SendOutcome outcome = send();

  EXPECT_TRUE(outcome.error.starts_with("the receiver answered 400: bad [31mtoken xxx"))
      << outcome.error;
  EXPECT_LT(outcome.error.size(), 300U);
}

TEST_F(MessageSender, SaysThatRedirectsAreNotFollowed) {
  answer_with(301);
  EXPECT_EQ(send().error, "the receiver answered 301 (redirects are not followed)");
}

TEST_F(MessageSender, ReturnsTheRetryAfterOfTheReceiver) {
  answer_with(429, {{"retry-after", "120"}});
  EXPECT_EQ(send().retry_after, 120s);
  answer_with(503, {{"retry-after", "Thu, 12 Mar 2026 11:00:00 GMT"}});
  EXPECT_EQ(send().retry_after, 3600s);
  answer_with(503);
  EXPECT_EQ(send().retry_after, std::nullopt);
}

TEST_F(MessageSender, EvaluatesAnHttpErrorByItsResponse) {
  FetchError error;
  error.kind = FetchErrorKind::http;
  error.response = FetchResponse{};
  error.response->status = 410;
  poster_.answer = error;

  EXPECT_EQ(send().result, SendResult::give_up);
}

TEST_F(MessageSender, RetriesWhenTheReceiverIsUnreachable) {
  FetchError error;
  error.kind = FetchErrorKind::dns;
  error.message = "no such host";
  poster_.answer = error;

  const SendOutcome outcome = send();

  EXPECT_EQ(outcome.result, SendResult::try_again);
  EXPECT_EQ(outcome.error, "dns: no such host");
}

TEST_F(MessageSender, SendsNothingWithoutUrlOrWithABrokenSecret) {
  webhook_.secrets = {"not base64!"};
  EXPECT_EQ(send().result, SendResult::try_again);
  webhook_.url.clear();
  EXPECT_EQ(send().error, "the job no longer has a webhook.url");

  EXPECT_EQ(poster_.count, 0);
}

TEST_F(MessageSender, DeliversDesktopMessagesToTheLogWhereThereIsNoDesktop) {
  delivery_.kind = DeliveryKind::desktop;
  delivery_.payload = R"({"title":"t","body":"b","timeout_ms":5000})";

  EXPECT_EQ(send().result, SendResult::delivered);
  EXPECT_EQ(poster_.count, 0);
}

TEST_F(MessageSender, GivesUpOnADesktopMessageItCannotRead) {
  delivery_.kind = DeliveryKind::desktop;
  delivery_.payload = "not json";
  EXPECT_EQ(send().result, SendResult::give_up);
}

}  // namespace
}  // namespace heddle::notify
