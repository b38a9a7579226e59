#include "ipc/handshake.hpp"

#include <optional>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>
#include <unistd.h>

#include "ipc/pack.hpp"

namespace heddle::ipc {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

TEST(Handshake, RoundTrips) {
  const Handshake handshake = make_handshake("worker", "1.2.3-abc");
  const auto back = unpacked_handshake(packed_handshake(handshake));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->version, kProtocolVersion);
  EXPECT_EQ(back->role, "worker");
  EXPECT_EQ(back->build, "1.2.3-abc");
  EXPECT_EQ(back->pid, getpid());
}

TEST(Handshake, OfAnotherVersionIsReadUpToTheCommonFields) {
  Packer packer;
  packer.number(kProtocolVersion + 1);
  packer.text("worker");
  packer.text("what comes here only that version knows");
  const auto handshake = unpacked_handshake(packer.take() + "\xFF\xFF");
  ASSERT_TRUE(handshake);
  EXPECT_EQ(handshake->version, kProtocolVersion + 1);
  EXPECT_EQ(handshake->role, "worker");
  EXPECT_EQ(handshake->build, "");
}

TEST(Handshake, IsRejectedWhenItIsMalformed) {
  const std::string good = packed_handshake(make_handshake("worker", "b"));
  EXPECT_FALSE(unpacked_handshake(""));
  EXPECT_FALSE(unpacked_handshake(good.substr(0, good.size() - 1)));
  EXPECT_FALSE(unpacked_handshake(good + "x"));
  EXPECT_FALSE(unpacked_handshake(packed_handshake(make_handshake("worker\x1B[2J", "b"))));
  EXPECT_FALSE(unpacked_handshake(packed_handshake(make_handshake(std::string(101, 'w'), "b"))));
}

TEST(Handshake, ReportsBothProtocolVersionsOnAMismatch) {
  Handshake theirs = make_handshake("worker", "b");
  theirs.version = 3;
  Handshake ours = make_handshake("daemon", "b");
  ours.version = 4;
  const auto status = check_handshake(theirs, ours);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::conflict);
  EXPECT_EQ(status.error().message,
            "the worker speaks protocol 3, this daemon protocol 4: the program was replaced while "
            "the daemon was running; restart the daemon: `heddle down`, then `heddle up` (under "
            "systemd: `systemctl restart`)");
}

TEST(Handshake, ReportsBothBuildsOnAMismatch) {
  const auto status =
      check_handshake(make_handshake("daemon", "1.1"), make_handshake("command", "1.0"));
  ASSERT_FALSE(status);
  EXPECT_TRUE(status.error().message.starts_with("the daemon (pid " + std::to_string(getpid()) +
                                                 ") is version 1.1, this command is version 1.0: "))
      << status.error().message;
  EXPECT_TRUE(check_handshake(make_handshake("daemon", "1.0"), make_handshake("command", "1.0")));
}

class HandshakeExchange : public ::testing::Test {
 protected:
  HandshakeExchange() {
    auto pair = make_socket_pair();
    worker_.emplace(loop_.get_executor(), std::move(pair->first));
    coordinator_.emplace(loop_.get_executor(), std::move(pair->second));
  }

  void exchange(Channel& channel, Handshake ours, std::optional<Result<Handshake>>& theirs,
                std::chrono::milliseconds limit = 60s) {
    const Deadline deadline = std::chrono::steady_clock::now() + limit;
    asio::co_spawn(loop_, exchange_handshake(channel, std::move(ours), deadline),
                   [&theirs](const std::exception_ptr& thrown, Result<Handshake> result) {
                     EXPECT_FALSE(thrown);
                     theirs = std::move(result);
                   });
  }

  asio::io_context loop_;
  std::optional<Channel> worker_;
  std::optional<Channel> coordinator_;
  std::optional<Result<Handshake>> seen_by_worker_;
  std::optional<Result<Handshake>> seen_by_coordinator_;
};

TEST_F(HandshakeExchange, GivesEachSideTheOtherHandshake) {
  exchange(*worker_, make_handshake("worker", "b"), seen_by_worker_);
  exchange(*coordinator_, make_handshake("coordinator", "b"), seen_by_coordinator_);
  loop_.run();
  EXPECT_EQ((*seen_by_worker_)->role, "coordinator");
  EXPECT_EQ((*seen_by_coordinator_)->role, "worker");
}

TEST_F(HandshakeExchange, FailsOnBothSidesWhenBuildsDiffer) {
  exchange(*worker_, make_handshake("worker", "old"), seen_by_worker_);
  exchange(*coordinator_, make_handshake("coordinator", "new"), seen_by_coordinator_);
  loop_.run();
  EXPECT_EQ(seen_by_worker_->error().code, ErrorCode::conflict);
  EXPECT_EQ(seen_by_coordinator_->error().code, ErrorCode::conflict);
}

TEST_F(HandshakeExchange, TimesOutAtTheDeadline) {
  exchange(*worker_, make_handshake("worker", "b"), seen_by_worker_, 1ms);
  loop_.run();
  EXPECT_EQ(seen_by_worker_->error().code, ErrorCode::timeout);
}

TEST_F(HandshakeExchange, FailsWhenAnotherFrameComesFirst) {
  coordinator_->post({1, 0, "work!"});
  exchange(*worker_, make_handshake("worker", "b"), seen_by_worker_);
  loop_.run();
  EXPECT_EQ(seen_by_worker_->error().code, ErrorCode::corrupt);
}

TEST_F(HandshakeExchange, FailsImmediatelyWhenTheOtherSideHasClosed) {
  coordinator_.reset();
  exchange(*worker_, make_handshake("worker", "b"), seen_by_worker_);
  loop_.run();
  EXPECT_EQ(seen_by_worker_->error().code, ErrorCode::unavailable);
}

}  // namespace
}  // namespace heddle::ipc
