// OutboxSender: how a receiver affects its own messages and those of others.
#include <optional>
#include <set>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include "hub/outbox/outbox_for_test.hpp"

namespace heddle::hub {
namespace {

using namespace std::chrono_literals;

TEST_F(Outbox, SendsPastAHangingReceiver) {
  for (int i = 0; i < 30; ++i) put("a" + std::to_string(i));
  for (int i = 0; i < 500; ++i) put("b" + std::to_string(i));
  put_other("z", "healthy.example");
  receiver_.hangs = "receiver.example";
  OutboxSender outbox(parts());
  boost::asio::io_context loop;
  bool is_over = false;
  const auto all = [&]() -> Async<void> {
    const auto report = co_await outbox.send_due();
    EXPECT_TRUE(report);
    is_over = true;
  };
  boost::asio::co_spawn(loop, all(), boost::asio::detached);
  loop.poll();
  EXPECT_EQ(receiver_.hung, OutboxSender::kPerReceiver);
  EXPECT_EQ(receiver_.received, std::multiset<std::string>{"z"});
  EXPECT_FALSE(is_over);

  receiver_.hangs.clear();
  receiver_.unblock.notify();
  loop.run();
  EXPECT_TRUE(is_over);
  EXPECT_EQ(receiver_.received.size(), 531U);
  EXPECT_EQ(receiver_.order.size(), 531U) << "each once";
}

TEST_F(Outbox, StartsNewMessagesWhileOlderOnesHang) {
  for (int i = 0; i < 30; ++i) put("a" + std::to_string(i));
  receiver_.hangs = "receiver.example";
  OutboxSender outbox(parts());
  boost::asio::io_context loop;
  int begun = 0;
  const auto begin = [&]() -> Async<void> {
    const auto done = co_await outbox.begin_due();
    EXPECT_TRUE(done);
    ++begun;
  };
  boost::asio::co_spawn(loop, begin(), boost::asio::detached);
  loop.poll();
  put_other("z", "healthy.example");
  boost::asio::co_spawn(loop, begin(), boost::asio::detached);
  loop.poll();
  EXPECT_EQ(begun, 2) << "it does not wait";
  EXPECT_EQ(receiver_.received, std::multiset<std::string>{"z"});

  receiver_.unblock.close();
  loop.run();
  EXPECT_EQ(receiver_.order.size(), 31U) << "each once";
}

TEST_F(Outbox, WaitsForTheMessagesOfOneJobOnly) {
  put("a");
  put_other("z", "healthy.example");
  receiver_.hangs = "receiver.example";
  OutboxSender outbox(parts());
  boost::asio::io_context loop;
  bool is_over = false;
  const auto one = [&]() -> Async<void> {
    std::optional<JobId> of(JobId{"healthy.example"});
    const auto report = co_await outbox.send_due(std::move(of));
    EXPECT_TRUE(report);
    is_over = true;
  };
  boost::asio::co_spawn(loop, one(), boost::asio::detached);
  loop.poll();
  EXPECT_TRUE(is_over);
  EXPECT_EQ(receiver_.hung, 1U);
  receiver_.unblock.close();
  loop.run();
}

TEST_F(Outbox, KeepsTheOrderOfAReceiversMessages) {
  std::vector<std::string> expected;
  for (int i = 100; i < 300; ++i) expected.push_back("id" + std::to_string(i));
  for (const std::string& id : expected) put(id);
  ASSERT_TRUE(pass());
  EXPECT_EQ(receiver_.order, expected);
}

TEST_F(Outbox, LeavesMessagesDueForAReceiverThatDoesNotAnswer) {
  for (int i = 0; i < 10; ++i) put("a" + std::to_string(i));
  put_other("z", "healthy.example");
  receiver_.down_for = 1000;
  receiver_.before_answer = [this] { clock_.advance(30s); };
  const auto report = pass();
  ASSERT_TRUE(report);
  EXPECT_EQ(receiver_.tried.size(), OutboxSender::kPerReceiver + 1) << "and the other receiver's";
  ASSERT_FALSE(report->errors.empty());
  EXPECT_EQ(report->errors.back(),
            "8 more messages for https://receiver.example wait until the next run, or until the "
            "daemon sends them");
  receiver_.down_for = 0;
  receiver_.before_answer = nullptr;
  run_until_empty();
  EXPECT_EQ(receiver_.received.size(), 11u);
}

TEST_F(Outbox, TriesEachMessageWhenTheReceiverRefusesImmediately) {
  for (int i = 0; i < 10; ++i) put("a" + std::to_string(i));
  receiver_.down_for = 1000;
  ASSERT_TRUE(pass());
  EXPECT_EQ(receiver_.tried.size(), 10u);
}

TEST_F(Outbox, CountsTheTimeToTheNextAttemptFromTheResponse) {
  put("a");
  receiver_.down_for = 1;
  receiver_.before_answer = [this] { clock_.advance(25s); };
  ASSERT_TRUE(pass());
  EXPECT_EQ(store_.rows["a"].delivery.due_at, start_ + 26s);
}

TEST_F(Outbox, CountsRetryAfterFromTheResponse) {
  put("a");
  receiver_.down_for = 1;
  receiver_.retry_after = "120";
  receiver_.before_answer = [this] { clock_.advance(25s); };
  ASSERT_TRUE(pass());
  EXPECT_EQ(store_.rows["a"].delivery.due_at, start_ + 145s);
}

}  // namespace
}  // namespace heddle::hub
