#include "ipc/rpc_peer.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <gtest/gtest.h>

namespace heddle::ipc {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

Status ignore(const Frame& /*frame*/) {
  return Done{};
}

// Two connected peers.
class RpcPeerTest : public ::testing::Test {
 protected:
  RpcPeerTest() {
    auto pair = make_socket_pair();
    left_ = make_peer(std::move(pair->first));
    right_ = make_peer(std::move(pair->second));
  }

  std::unique_ptr<RpcPeer> make_peer(FileDescriptor socket) {
    return std::make_unique<RpcPeer>(
        std::make_unique<Channel>(loop_.get_executor(), std::move(socket)));
  }

  void run(RpcPeer& peer, RpcPeer::Handler handler, std::optional<Status>& end) {
    asio::co_spawn(loop_, peer.run(std::move(handler)),
                   [&end](const std::exception_ptr& thrown, Status status) {
                     EXPECT_FALSE(thrown);
                     end = std::move(status);
                   });
  }

  // left_ sends requests, right_ collects them.
  void run_collecting_requests() {
    run(*left_, ignore, left_end_);
    const auto keep = [this](Frame frame) -> Status {
      requests_.push_back(std::move(frame));
      return Done{};
    };
    run(*right_, keep, right_end_);
  }

  using Replies = std::vector<std::optional<Result<Frame>>>;
  void call(Replies& replies, std::size_t place, std::optional<Deadline> deadline = {}) {
    Frame request{7, 0, "question " + std::to_string(place)};
    asio::co_spawn(loop_, left_->call(std::move(request), deadline),
                   [&replies, place](const std::exception_ptr& thrown, Result<Frame> result) {
                     if (!thrown) replies[place] = std::move(result);
                   });
  }

  void poll() {
    loop_.restart();
    loop_.poll();
  }

  template <class Condition>
  void run_until(Condition condition) {
    loop_.restart();
    while (!condition()) ASSERT_GT(loop_.run_one_for(20s), 0U);
  }

  asio::io_context loop_;
  std::unique_ptr<RpcPeer> left_;
  std::unique_ptr<RpcPeer> right_;
  std::deque<Frame> requests_;
  std::optional<Status> left_end_;
  std::optional<Status> right_end_;
};

TEST_F(RpcPeerTest, MatchesRepliesThatArriveInAnyOrder) {
  run_collecting_requests();
  Replies replies(500);
  for (std::size_t i = 0; i < replies.size(); ++i) call(replies, i);
  run_until([&] { return requests_.size() == replies.size(); });
  std::shuffle(requests_.begin(), requests_.end(), std::mt19937(3));
  for (const Frame& request : requests_) {
    EXPECT_EQ(request.type, 7);
    EXPECT_TRUE(right_->post_reply(request.number, {8, 0, "answer to " + request.body}));
  }
  run_until([&] { return left_->pending_calls() == 0; });
  poll();
  for (std::size_t i = 0; i < replies.size(); ++i) {
    ASSERT_TRUE(replies[i] && *replies[i]);
    EXPECT_EQ((*replies[i])->type, 8);
    EXPECT_EQ((*replies[i])->body, "answer to question " + std::to_string(i));
  }
}

TEST_F(RpcPeerTest, CallsInBothDirectionsWithTheSameNumbers) {
  const auto echo_by = [](RpcPeer& peer) {
    return [&peer](Frame frame) -> Status {
      frame.body += "!";
      const std::uint32_t number = frame.number;
      peer.post_reply(number, std::move(frame));
      return Done{};
    };
  };
  run(*left_, echo_by(*left_), left_end_);
  run(*right_, echo_by(*right_), right_end_);
  std::vector<std::string> replies;
  for (RpcPeer* peer : {left_.get(), right_.get()})
    for (int i = 0; i < 20; ++i)
      asio::co_spawn(loop_, peer->call({1, 0, std::to_string(i)}),
                     [&replies, i](const std::exception_ptr&, Result<Frame> result) {
                       EXPECT_EQ(result->body, std::to_string(i) + "!");
                       replies.push_back(result->body);
                     });
  run_until([&] { return replies.size() == 40; });
}

TEST_F(RpcPeerTest, FailsPendingCallsWhenTheOtherSideCloses) {
  run_collecting_requests();
  Replies replies(3);
  for (std::size_t i = 0; i < replies.size(); ++i) call(replies, i);
  run_until([&] { return requests_.size() == 3; });
  right_.reset();
  run_until([&] { return left_end_ && replies[0] && replies[1] && replies[2]; });
  for (const auto& reply : replies) EXPECT_EQ(reply->error().code, ErrorCode::unavailable);
  EXPECT_EQ(left_end_->error().code, ErrorCode::unavailable);
  EXPECT_FALSE(left_->is_open());
  Replies late(1);
  call(late, 0);
  poll();
  EXPECT_EQ(late[0]->error().code, ErrorCode::unavailable);
}

TEST_F(RpcPeerTest, FailsPendingCallsWhenItIsClosed) {
  run_collecting_requests();
  Replies replies(2);
  for (std::size_t i = 0; i < replies.size(); ++i) call(replies, i);
  poll();
  left_->close();
  poll();
  for (const auto& reply : replies) EXPECT_EQ(reply->error().code, ErrorCode::unavailable);
  EXPECT_EQ(left_end_->error().code, ErrorCode::unavailable);
}

TEST_F(RpcPeerTest, CanBeDestroyedWhileItsCoroutinesWait) {
  run_collecting_requests();
  Replies replies(2);
  for (std::size_t i = 0; i < replies.size(); ++i) call(replies, i);
  poll();
  left_.reset();
  poll();
  for (const auto& reply : replies) EXPECT_EQ(reply->error().code, ErrorCode::unavailable);
  EXPECT_TRUE(left_end_);
}

TEST_F(RpcPeerTest, RejectsAReplyToNoRequestAsCorrupt) {
  run_collecting_requests();
  Replies replies(1);
  call(replies, 0);
  run_until([&] { return requests_.size() == 1; });
  right_->post_reply(requests_[0].number + 1, {8, 0, "x"});
  run_until([&] { return left_end_.has_value() && replies[0]; });
  EXPECT_EQ(left_end_->error().code, ErrorCode::corrupt);
  EXPECT_EQ(replies[0]->error().code, ErrorCode::unavailable);
}

TEST_F(RpcPeerTest, RejectsASecondReplyAsCorrupt) {
  run_collecting_requests();
  Replies replies(1);
  call(replies, 0);
  run_until([&] { return requests_.size() == 1; });
  for (int i = 0; i < 2; ++i) right_->post_reply(requests_[0].number, {8, 0, "x"});
  run_until([&] { return left_end_.has_value() && replies[0]; });
  EXPECT_EQ(left_end_->error().code, ErrorCode::corrupt);
  EXPECT_EQ((*replies[0])->body, "x");
}

TEST_F(RpcPeerTest, TimesOutAtTheDeadlineAndDropsTheLateReply) {
  run_collecting_requests();
  Replies replies(2);
  call(replies, 0, std::chrono::steady_clock::now() + 1ms);
  run_until([&] { return replies[0] && requests_.size() == 1; });
  EXPECT_EQ(replies[0]->error().code, ErrorCode::timeout);
  EXPECT_EQ(left_->pending_calls(), 1U);
  right_->post_reply(requests_[0].number, {8, 0, "late"});
  call(replies, 1);
  run_until([&] { return requests_.size() == 2; });
  right_->post_reply(requests_[1].number, {8, 0, "in time"});
  run_until([&] { return replies[1].has_value(); });
  EXPECT_EQ((*replies[1])->body, "in time");
  EXPECT_EQ(left_->pending_calls(), 0U);
  EXPECT_FALSE(left_end_);
}

TEST_F(RpcPeerTest, IgnoresTheReplyToACancelledCall) {
  run_collecting_requests();
  asio::cancellation_signal stop;
  bool was_cancelled = false;
  asio::co_spawn(loop_, left_->call({7, 0, "cancelled"}),
                 asio::bind_cancellation_slot(stop.slot(), [&](const std::exception_ptr& thrown,
                                                               const Result<Frame>& /*result*/) {
                   was_cancelled = thrown != nullptr;
                 }));
  run_until([&] { return requests_.size() == 1; });
  stop.emit(asio::cancellation_type::terminal);
  run_until([&] { return was_cancelled; });
  right_->post_reply(requests_[0].number, {8, 0, "late"});
  Replies replies(1);
  call(replies, 0);
  run_until([&] { return requests_.size() == 2; });
  right_->post_reply(requests_[1].number, {8, 0, "fine"});
  run_until([&] { return replies[0].has_value(); });
  EXPECT_EQ((*replies[0])->body, "fine");
}

TEST_F(RpcPeerTest, EndsWhenItsReceiverIsCancelled) {
  asio::cancellation_signal stop;
  bool has_ended = false;
  asio::co_spawn(loop_, left_->run(ignore),
                 asio::bind_cancellation_slot(
                     stop.slot(), [&](const std::exception_ptr& thrown, const Status& /*status*/) {
                       has_ended = thrown != nullptr;
                     }));
  Replies replies(1);
  call(replies, 0);
  poll();
  stop.emit(asio::cancellation_type::terminal);
  run_until([&] { return has_ended && replies[0]; });
  EXPECT_EQ(replies[0]->error().code, ErrorCode::unavailable);
  EXPECT_FALSE(left_->is_open());
}

TEST_F(RpcPeerTest, EndsWithTheErrorOfItsHandler) {
  run(
      *left_,
      [](const Frame&) -> Status {
        return Error{ErrorCode::corrupt, "not understood"};
      },
      left_end_);
  right_->post({1, 0, "gibberish"});
  run_until([&] { return left_end_.has_value(); });
  EXPECT_EQ(left_end_->error().message, "not understood");
  EXPECT_FALSE(left_->is_open());
}

TEST_F(RpcPeerTest, PassesNotificationsToTheHandlerWithoutANumber) {
  run_collecting_requests();
  EXPECT_TRUE(left_->post({3, 99, "notice"}));
  run_until([&] { return requests_.size() == 1; });
  EXPECT_EQ(requests_[0].number, 0U);
  EXPECT_TRUE(right_->post_reply(0, {8, 0, "nobody wants this"}));
  Replies replies(1);
  call(replies, 0);
  run_until([&] { return requests_.size() == 2; });
  right_->post_reply(requests_[1].number, {8, 0, "fine"});
  run_until([&] { return replies[0].has_value(); });
  EXPECT_TRUE(*replies[0]);
}

TEST_F(RpcPeerTest, RejectsTypesWithTheReplyBit) {
  EXPECT_THROW(left_->post({kReplyBit, 0, ""}), std::invalid_argument);
  EXPECT_THROW(left_->post_reply(1, {kReplyBit | 1, 0, ""}), std::invalid_argument);
}

TEST_F(RpcPeerTest, RunsOnlyOnce) {
  run_collecting_requests();
  std::optional<Status> second;
  run(*left_, ignore, second);
  poll();
  ASSERT_TRUE(second);
  EXPECT_EQ(second->error().code, ErrorCode::bug);
  EXPECT_TRUE(left_->is_open());
}

TEST_F(RpcPeerTest, RejectsRequestsThatAreTooLong) {
  auto pair = make_socket_pair();
  RpcPeer peer(std::make_unique<Channel>(loop_.get_executor(), std::move(pair->first),
                                         ChannelLimits{.max_frame = 100}));
  std::optional<Result<Frame>> reply;
  asio::co_spawn(
      loop_, peer.call({1, 0, std::string(101, 'x')}),
      [&](const std::exception_ptr&, Result<Frame> result) { reply = std::move(result); });
  poll();
  EXPECT_EQ(reply->error().code, ErrorCode::bad_input);
}

TEST(RpcPeer, DestroysItsCoroutinesWithTheLoop) {
  auto loop = std::make_unique<asio::io_context>();
  auto pair = make_socket_pair();
  auto peer = std::make_unique<RpcPeer>(
      std::make_unique<Channel>(loop->get_executor(), std::move(pair->first)));
  asio::co_spawn(*loop, peer->run(ignore), asio::detached);
  asio::co_spawn(*loop, peer->call({1, 0, "x"}), asio::detached);
  loop->poll();
  peer.reset();
  loop.reset();  // a leak is reported by the sanitizer
}

}  // namespace
}  // namespace heddle::ipc
