#include "hub/outbox/outbox_sender.hpp"

#include <set>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include "hub/outbox/outbox_for_test.hpp"

namespace heddle::hub {
namespace {

using namespace std::chrono_literals;

TEST_F(Outbox, SendsAllDueMessagesInOnePass) {
  for (int i = 0; i < 200; ++i) put("id" + std::to_string(i));
  put("desktop", DeliveryKind::desktop);

  const auto report = pass();

  ASSERT_TRUE(report);
  EXPECT_EQ(report->sent, 201U);
  EXPECT_EQ(report->waiting + report->dead, 0U);
  EXPECT_EQ(count("sent"), 201U);
  EXPECT_EQ(receiver_.received.size(), 200U);
}

TEST_F(Outbox, LimitsParallelRequestsPerReceiver) {
  for (int i = 0; i < 100; ++i) put("id" + std::to_string(i));
  ASSERT_TRUE(pass());

  EXPECT_EQ(receiver_.most_open, OutboxSender::kPerReceiver);
}

TEST_F(Outbox, SendsEachMessageOnceThoughPassesOverlap) {
  std::multiset<std::string> all;
  for (int i = 0; i < 150; ++i) all.insert("id" + std::to_string(i));
  for (const std::string& id : all) put(id);
  OutboxSender outbox(parts());
  boost::asio::io_context loop;
  std::size_t sent = 0;
  const auto one_pass = [&](int delay) -> Async<void> {
    store_.answer_delay = delay;
    const auto report = co_await outbox.send_due();
    EXPECT_TRUE(report);
    if (report) sent += report->sent;
    EXPECT_EQ(count("waiting"), 0U);  // each waits for messages of the other
  };
  for (const int delay : {0, 40, 3, 90, 1})
    boost::asio::co_spawn(loop, one_pass(delay), boost::asio::detached);
  loop.run();
  EXPECT_EQ(receiver_.received, all);
  EXPECT_EQ(sent, 150U);
}

TEST_F(Outbox, RetriesMessagesThatAPassCouldNotRecord) {
  put("a");
  OutboxSender outbox(parts());
  store_.can_write = false;
  EXPECT_FALSE(testing::run_async(outbox.send_due()));
  store_.can_write = true;
  EXPECT_EQ(testing::run_async(outbox.send_due())->sent, 1U);
}

TEST_F(Outbox, SendsMessagesWithoutJobToProjectChannels) {
  ChannelRule channel;
  channel.kind = DeliveryKind::webhook;
  channel.webhook.url = "https://example.com/ops";
  OutboxSenderParts with_channel = parts();
  with_channel.find_channel = [&channel](const std::string& name) {
    return name == "ops" ? &channel : nullptr;
  };
  OutboxSender outbox(std::move(with_channel));
  put("a");
  store_.rows["a"].delivery.channel = "ops";
  put("b");
  store_.rows["b"].delivery.channel = "gone";
  const auto report = testing::run_async(outbox.send_due());
  ASSERT_TRUE(report);
  EXPECT_EQ(report->sent, 1U);
  EXPECT_EQ(report->waiting, 1U);
  EXPECT_EQ(report->errors,
            std::vector<std::string>{"channel gone: the channel is no longer configured"});
}

TEST_F(Outbox, DoesNotSendMessagesThatAreNotDue) {
  put("later");
  store_.rows["later"].delivery.due_at = clock_.now() + 1ms;

  EXPECT_EQ(pass()->sent, 0U);
  EXPECT_EQ(receiver_.requests, 0);
}

TEST_F(Outbox, TriesEachMessageOncePerPassAndPostponesFailures) {
  receiver_.down_for = 1000;
  put("a");
  put("b");

  const auto report = pass();

  ASSERT_TRUE(report);
  EXPECT_EQ(report->waiting, 2U);
  EXPECT_EQ(receiver_.requests, 2);
  EXPECT_EQ(report->errors, std::vector<std::string>{"shop: the receiver answered 503"});
  EXPECT_EQ(store_.rows["a"].delivery.due_at, clock_.now() + 1s);
}

TEST_F(Outbox, DeliversEachMessageOnceToAReceiverThatWasDown) {
  receiver_.down_for = 20;
  std::multiset<std::string> all;
  for (int i = 0; i < 7; ++i) {
    put("id" + std::to_string(i));
    all.insert("id" + std::to_string(i));
  }

  run_until_empty();

  EXPECT_EQ(receiver_.received, all);
  EXPECT_EQ(count("sent"), 7U);
  EXPECT_EQ(receiver_.requests, 27);
}

TEST_F(Outbox, DeliversEachMessageToAReceiverThatWasDownForADay) {
  for (int i = 0; i < 5; ++i) put("id" + std::to_string(i));
  receiver_.down_for = 1'000'000;
  while (clock_.now() < start_ + 24h) {
    ASSERT_TRUE(pass());
    clock_.advance(10min);
  }
  EXPECT_EQ(receiver_.received.size(), 0U);

  receiver_.down_for = 0;
  run_until_empty();

  EXPECT_EQ(receiver_.received.size(), 5U);
  EXPECT_EQ(receiver_.tried.size(), 5U);  // the same ids on every attempt
}

TEST_F(Outbox, GivesUpAfterSeventyTwoHours) {
  receiver_.down_for = 1'000'000;
  put("a");

  run_until_empty();

  EXPECT_EQ(store_.rows["a"].state, "dead");
  EXPECT_EQ(store_.rows["a"].error, "the receiver answered 503");
  EXPECT_EQ(clock_.now(), start_ + kDeliveryLifetime);
  EXPECT_EQ(receiver_.requests, 78);  // 6 in the first 36 minutes, then hourly, and one at the end
}

TEST_F(Outbox, GivesUpImmediatelyWhenTheReceiverIsGone) {
  receiver_.down_for = 1;
  receiver_.status_when_down = 410;
  put("a");

  EXPECT_EQ(pass()->dead, 1U);
  EXPECT_EQ(store_.rows["a"].state, "dead");
}

TEST_F(Outbox, SendsAgainWithTheSameIdAfterAFailedWrite) {
  put("a");
  store_.can_write = false;
  EXPECT_FALSE(pass());
  EXPECT_EQ(receiver_.received.count("a"), 1U);

  store_.can_write = true;
  ASSERT_TRUE(pass());

  EXPECT_EQ(receiver_.received.count("a"), 2U);
  EXPECT_EQ(count("sent"), 1U);
}

TEST_F(Outbox, StopsSendingWhenTheStoreFails) {
  for (int i = 0; i < 100; ++i) put("id" + std::to_string(i));
  store_.can_write = false;

  const auto report = pass();

  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::unavailable);
  EXPECT_LE(receiver_.requests, static_cast<int>(OutboxSender::kPerReceiver));
}

TEST_F(Outbox, PostponesMessagesOfAJobThatIsNoLongerConfigured) {
  put("a");
  is_configured_ = false;

  const auto report = pass();

  EXPECT_EQ(report->waiting, 1U);
  EXPECT_EQ(store_.rows["a"].error, "the job is no longer configured");
  is_configured_ = true;
  run_until_empty();
  EXPECT_EQ(receiver_.received.count("a"), 1U);
}

TEST_F(Outbox, ReportsAMissingWebhookUrl) {
  put("a");
  job_.webhook.url.clear();

  EXPECT_EQ(pass()->waiting, 1U);
  EXPECT_EQ(store_.rows["a"].error, "the job no longer has a webhook.url");
}

}  // namespace
}  // namespace heddle::hub
