#include "ipc/channel.hpp"

#include <csignal>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>

namespace heddle::ipc {
namespace {

namespace asio = boost::asio;

constexpr std::size_t kMegabyte = 1UL << 20;

std::string header(std::uint16_t type, std::uint32_t number, std::uint32_t length) {
  std::string bytes(kFrameHeaderBytes, '\0');
  write_header({type, number, length}, bytes.data());
  return bytes;
}

// A channel whose other side is a plain socket.
class ChannelWithRawPeer : public ::testing::Test {
 protected:
  ChannelWithRawPeer() { connect({}); }

  void connect(ChannelLimits limits) {
    auto pair = make_socket_pair();
    const int socket_buffer_bytes = 64 << 10;  // fixed, so that the test knows when it is full
    setsockopt(pair->first.get(), SOL_SOCKET, SO_SNDBUF, &socket_buffer_bytes,
               sizeof socket_buffer_bytes);
    peer_ = std::move(pair->second);
    channel_ = std::make_unique<Channel>(loop_.get_executor(), std::move(pair->first), limits);
  }

  void peer_sends(std::string_view bytes) const {
    ASSERT_EQ(send(peer_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
  }

  // Everything that can be read without waiting.
  [[nodiscard]] std::string peer_reads() const {
    std::string all(4 * kMegabyte, '\0');
    std::size_t size = 0;
    while (size < all.size()) {
      const ssize_t got = recv(peer_.get(), &all[size], all.size() - size, MSG_DONTWAIT);
      if (got <= 0) break;
      size += static_cast<std::size_t>(got);
    }
    all.resize(size);
    return all;
  }

  void start_receiving() {
    asio::co_spawn(loop_, channel_->receive(),
                   [this](const std::exception_ptr& thrown, Result<Frame> result) {
                     has_thrown_ = thrown != nullptr;
                     received_ = std::move(result);
                   });
  }

  Result<Frame> receive_now() {
    received_.reset();
    start_receiving();
    loop_.restart();
    loop_.run();
    return std::move(*received_);
  }

  void start_sending(Frame frame) {
    asio::co_spawn(
        loop_, channel_->send(std::move(frame)),
        [this](const std::exception_ptr&, Status result) { sent_.push_back(std::move(result)); });
  }

  void poll() {
    loop_.restart();
    loop_.poll();
  }

  asio::io_context loop_;
  FileDescriptor peer_;
  std::unique_ptr<Channel> channel_;
  std::optional<Result<Frame>> received_;
  bool has_thrown_ = false;
  std::vector<Status> sent_;
};

TEST_F(ChannelWithRawPeer, ReceivesFramesInTheWireFormat) {
  peer_sends(std::string("HDL1\x07\x00\x00\x00\x09\x00\x00\x00\x02\x00\x00\x00hi", 18));
  const auto frame = receive_now();
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->type, 7);
  EXPECT_EQ(frame->number, 9U);
  EXPECT_EQ(frame->body, "hi");
}

TEST_F(ChannelWithRawPeer, WaitsForTheRestOfAFrame) {
  const std::string bytes = header(1, 2, 5) + "hello";
  start_receiving();
  for (const char byte : bytes) {
    EXPECT_FALSE(received_);
    peer_sends({&byte, 1});
    poll();
  }
  ASSERT_TRUE(received_ && *received_);
  EXPECT_EQ((*received_)->body, "hello");
}

TEST_F(ChannelWithRawPeer, RejectsOtherBytesAsCorrupt) {
  peer_sends("GET / HTTP/1.1\r\n\r\n");
  const auto frame = receive_now();
  ASSERT_FALSE(frame);
  EXPECT_EQ(frame.error().code, ErrorCode::corrupt);
  EXPECT_EQ(receive_now().error().code, ErrorCode::corrupt) << "and stays so";
  EXPECT_FALSE(channel_->is_open());
  EXPECT_FALSE(channel_->post({1, 0, "x"}));
}

TEST_F(ChannelWithRawPeer, ReturnsTheValidFramesBeforeAnInvalidOne) {
  peer_sends(header(3, 0, 1) + "a" + std::string(16, '?'));
  EXPECT_EQ(receive_now()->body, "a");
  EXPECT_EQ(receive_now().error().code, ErrorCode::corrupt);
}

TEST_F(ChannelWithRawPeer, RejectsAFrameThatIsTooLongAsCorrupt) {
  connect({.max_received = 1000});
  peer_sends(header(3, 0, 1001));
  EXPECT_EQ(receive_now().error().code, ErrorCode::corrupt);
}

TEST_F(ChannelWithRawPeer, IsUnavailableOnceThePeerHasClosed) {
  peer_sends(header(3, 0, 1) + "a");
  peer_.reset();
  EXPECT_EQ(receive_now()->body, "a");
  EXPECT_EQ(receive_now().error().code, ErrorCode::unavailable);
  EXPECT_EQ(receive_now().error().code, ErrorCode::unavailable);
}

TEST_F(ChannelWithRawPeer, ReportsThatThePeerClosedInTheMiddleOfAFrame) {
  for (const std::size_t length :
       {10UL, 100'000UL}) {  // gathered, and received into its own string
    connect({});
    peer_sends(header(3, 0, static_cast<std::uint32_t>(length)) + "abc");
    peer_.reset();
    const auto frame = receive_now();
    EXPECT_EQ(frame.error().code, ErrorCode::unavailable);
    EXPECT_NE(frame.error().message.find("middle"), std::string::npos) << frame.error().message;
  }
}

TEST_F(ChannelWithRawPeer, ReceivesFramesSentBeforeThePeerExited) {
  peer_sends(header(3, 0, 4) + "last");
  peer_.reset();
  EXPECT_TRUE(channel_->post({1, 0, "nobody reads this"}));
  poll();
  EXPECT_FALSE(channel_->is_open());
  EXPECT_FALSE(channel_->post({1, 0, "x"}));
  EXPECT_EQ(receive_now()->body, "last");
  EXPECT_EQ(receive_now().error().code, ErrorCode::unavailable);
}

TEST_F(ChannelWithRawPeer, BatchesSmallFrames) {
  std::string expected;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    ASSERT_TRUE(channel_->post({5, i, "body " + std::to_string(i)}));
    const std::string body = "body " + std::to_string(i);
    expected += header(5, i, static_cast<std::uint32_t>(body.size())) + body;
  }
  EXPECT_EQ(peer_reads(), "") << "nothing before the loop's turn";
  poll();
  EXPECT_EQ(peer_reads(), expected);
}

TEST_F(ChannelWithRawPeer, BlocksSendersWhileThePeerDoesNotRead) {
  connect({.max_waiting = kMegabyte});
  for (int i = 0; i < 30; ++i) start_sending({1, 0, std::string(100'000, 'x')});
  poll();
  const std::size_t through = sent_.size();
  EXPECT_GE(through, 10U) << "a megabyte fits into the queue";
  EXPECT_LT(through, 15U);
  EXPECT_GT(channel_->waiting_bytes(), kMegabyte);
  std::size_t read = 0;
  while (read < 30 * 100'016) {
    read += peer_reads().size();
    poll();
  }
  EXPECT_EQ(sent_.size(), 30U);
  for (const Status& status : sent_) EXPECT_TRUE(status);
  EXPECT_EQ(channel_->waiting_bytes(), 0U);
}

TEST_F(ChannelWithRawPeer, PostsNotificationsWithoutBackpressure) {
  connect({.max_waiting = 1000});
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(channel_->post({1, 0, std::string(100'000, 'x')}));
  EXPECT_GT(channel_->waiting_bytes(), 5 * kMegabyte);
}

TEST_F(ChannelWithRawPeer, WakesAllWaitersWhenItIsClosed) {
  connect({.max_waiting = 1000});
  start_receiving();
  for (int i = 0; i < 5; ++i) start_sending({1, 0, std::string(kMegabyte, 'x')});
  poll();
  EXPECT_TRUE(sent_.empty());
  channel_->close();
  channel_->close();
  poll();
  ASSERT_EQ(sent_.size(), 5U);
  for (const Status& status : sent_) EXPECT_EQ(status.error().code, ErrorCode::unavailable);
  ASSERT_TRUE(received_);
  EXPECT_EQ(received_->error().code, ErrorCode::unavailable);
  EXPECT_EQ(channel_->waiting_bytes(), 0U);
}

TEST_F(ChannelWithRawPeer, CanBeDestroyedWhileCoroutinesWait) {
  connect({.max_waiting = 1000});
  start_receiving();
  for (int i = 0; i < 5; ++i) start_sending({1, 0, std::string(kMegabyte, 'x')});
  poll();
  channel_.reset();
  poll();
  EXPECT_EQ(sent_.size(), 5U);
  EXPECT_EQ(received_->error().code, ErrorCode::unavailable);
}

TEST_F(ChannelWithRawPeer, WakesItsSendersWhenThePeerDies) {
  connect({.max_waiting = 1000});
  start_sending({1, 0, std::string(kMegabyte, 'x')});
  poll();
  EXPECT_TRUE(sent_.empty());
  peer_.reset();
  loop_.restart();
  loop_.run();
  ASSERT_EQ(sent_.size(), 1U);
  EXPECT_EQ(sent_[0].error().code, ErrorCode::unavailable);
}

TEST_F(ChannelWithRawPeer, RejectsSendingAFrameThatIsTooLong) {
  connect({.max_frame = 1000});
  start_sending({1, 0, std::string(1001, 'x')});
  poll();
  EXPECT_EQ(sent_.at(0).error().code, ErrorCode::bad_input);
  EXPECT_THROW(channel_->post({1, 0, std::string(1001, 'x')}), std::length_error);
  EXPECT_TRUE(channel_->is_open());
}

TEST_F(ChannelWithRawPeer, AllowsOneReceiverAtATime) {
  start_receiving();
  poll();
  asio::co_spawn(loop_, channel_->receive(), [](const std::exception_ptr&, Result<Frame> result) {
    EXPECT_EQ(result.error().code, ErrorCode::bug);
  });
  poll();
  peer_sends(header(1, 0, 1) + "a");
  poll();
  EXPECT_EQ((*received_)->body, "a");
}

TEST_F(ChannelWithRawPeer, IsClosedFromTheStartWithoutASocket) {
  channel_ = std::make_unique<Channel>(loop_.get_executor(), FileDescriptor());
  EXPECT_FALSE(channel_->is_open());
  EXPECT_FALSE(channel_->post({}));
  EXPECT_EQ(receive_now().error().code, ErrorCode::unavailable);
}

Async<void> receive_for_a_moment(Channel& channel, bool& was_timeout) {
  using namespace asio::experimental::awaitable_operators;
  asio::steady_timer alarm(co_await asio::this_coro::executor, std::chrono::milliseconds(1));
  const auto winner = co_await (channel.receive() || alarm.async_wait(asio::use_awaitable));
  was_timeout = winner.index() == 1;
}

TEST_F(ChannelWithRawPeer, KeepsAPartialFrameWhenAReceiverIsCancelled) {
  for (const std::uint32_t length : {3U, 50'000U}) {
    const std::string bytes = header(1, 0, length) + std::string(length, 'x');
    peer_sends(bytes.substr(0, 17));
    bool was_timeout = false;
    asio::co_spawn(loop_, receive_for_a_moment(*channel_, was_timeout), asio::detached);
    loop_.restart();
    loop_.run();
    EXPECT_TRUE(was_timeout);
    peer_sends(bytes.substr(17));
    EXPECT_EQ(receive_now()->body.size(), length);
  }
}

TEST_F(ChannelWithRawPeer, DestroysItsCoroutinesWithTheLoop) {
  auto loop = std::make_unique<asio::io_context>();
  auto pair = make_socket_pair();
  auto channel = std::make_unique<Channel>(loop->get_executor(), std::move(pair->first),
                                           ChannelLimits{.max_waiting = 1000});
  asio::co_spawn(*loop, channel->receive(), asio::detached);
  asio::co_spawn(*loop, channel->send({1, 0, std::string(kMegabyte, 'x')}), asio::detached);
  loop->poll();
  channel.reset();
  loop.reset();  // a leak is reported by the sanitizer
}

// Two channels, connected, on one loop.
Async<void> send_all(Channel& channel, const std::vector<std::string>& bodies) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    Frame frame{2, static_cast<std::uint32_t>(i), bodies[i]};
    const auto status = co_await channel.send(std::move(frame));
    EXPECT_TRUE(status);
  }
}

Async<void> expect_all(Channel& channel, const std::vector<std::string>& bodies) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto frame = co_await channel.receive();
    EXPECT_TRUE(frame);
    if (!frame) co_return;
    EXPECT_EQ(frame->number, i);
    EXPECT_TRUE(frame->body == bodies[i]) << "of frame " << i << ", " << bodies[i].size();
  }
}

TEST(Channels, CarryFramesOfEveryLengthInBothDirectionsInOrder) {
  asio::io_context loop;
  auto pair = make_socket_pair();
  const ChannelLimits limits{.max_waiting = 100'000};
  Channel left(loop.get_executor(), std::move(pair->first), limits);
  Channel right(loop.get_executor(), std::move(pair->second), limits);
  std::vector<std::string> bodies;
  for (std::size_t length = 0; length < 3'000'000; length = length * 5 / 4 + 1)
    for (const std::size_t more : {0U, 4U, 15U}) {
      bodies.emplace_back();
      while (bodies.back().size() < length + more)
        bodies.back() += std::to_string(bodies.size() * 7919 + bodies.back().size());
    }
  asio::co_spawn(loop, send_all(left, bodies), asio::detached);
  asio::co_spawn(loop, send_all(right, bodies), asio::detached);
  asio::co_spawn(loop, expect_all(left, bodies), asio::detached);
  asio::co_spawn(loop, expect_all(right, bodies), asio::detached);
  loop.run();
  EXPECT_EQ(left.waiting_bytes() + right.waiting_bytes(), 0U);
}

TEST(Channels, ReportUnavailableWhenTheOtherProcessIsKilledInTheMiddleOfAFrame) {
  auto pair = make_socket_pair();
  const pid_t child = fork();
  if (child == 0) {
    const std::string bytes = header(1, 0, 10 * kMegabyte) + std::string(5 * kMegabyte, 'x');
    std::size_t sent = 0;
    while (sent < bytes.size()) {
      const ssize_t count =
          send(pair->second.get(), bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (count <= 0) _exit(1);
      sent += static_cast<std::size_t>(count);
    }
    raise(SIGKILL);
  }
  pair->second.reset();
  asio::io_context loop;
  Channel channel(loop.get_executor(), std::move(pair->first));
  std::optional<Result<Frame>> received;
  asio::co_spawn(loop, channel.receive(), [&](const std::exception_ptr&, Result<Frame> result) {
    received = std::move(result);
  });
  loop.run();
  EXPECT_EQ(received->error().code, ErrorCode::unavailable);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
}

TEST(SocketPair, IsCloseOnExec) {
  const auto pair = make_socket_pair();
  ASSERT_TRUE(pair);
  EXPECT_NE(fcntl(pair->first.get(), F_GETFD) & FD_CLOEXEC, 0);
  EXPECT_NE(fcntl(pair->second.get(), F_GETFD) & FD_CLOEXEC, 0);
}

}  // namespace
}  // namespace heddle::ipc
