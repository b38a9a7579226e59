#include "ipc/version.hpp"

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

TEST(Hello, ComesBackAsItWas) {
  const Hello hello = make_hello("worker", "1.2.3-abc");
  const auto back = unpacked_hello(packed_hello(hello));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->version, kProtocolVersion);
  EXPECT_EQ(back->role, "worker");
  EXPECT_EQ(back->build, "1.2.3-abc");
  EXPECT_EQ(back->pid, getpid());
}

TEST(Hello, OfAnotherVersionIsReadAsFarAsAllVersionsAgree) {
  Packer packer;
  packer.number(kProtocolVersion + 1);
  packer.text("worker");
  packer.text("what comes here only that version knows");
  const auto hello = unpacked_hello(packer.take() + "\xFF\xFF");
  ASSERT_TRUE(hello);
  EXPECT_EQ(hello->version, kProtocolVersion + 1);
  EXPECT_EQ(hello->role, "worker");
  EXPECT_EQ(hello->build, "");
}

TEST(Hello, IsRefusedWhenItIsNone) {
  const std::string good = packed_hello(make_hello("worker", "b"));
  EXPECT_FALSE(unpacked_hello(""));
  EXPECT_FALSE(unpacked_hello(good.substr(0, good.size() - 1)));
  EXPECT_FALSE(unpacked_hello(good + "x"));
  EXPECT_FALSE(unpacked_hello(packed_hello(make_hello("worker\x1B[2J", "b"))));
  EXPECT_FALSE(unpacked_hello(packed_hello(make_hello(std::string(101, 'w'), "b"))));
}

TEST(Hello, SaysWhoSpeaksWhichProtocol) {
  Hello theirs = make_hello("worker", "b");
  theirs.version = 3;
  Hello ours = make_hello("coordinator", "b");
  ours.version = 4;
  const auto status = check_hello(theirs, ours);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::conflict);
  EXPECT_EQ(status.error().message,
            "worker speaks protocol 3, this coordinator 4: the program was replaced while it ran; "
            "stop it and start it again");
}

TEST(Hello, SaysWhichBuildsDiffer) {
  const auto status = check_hello(make_hello("worker", "1.1"), make_hello("coordinator", "1.0"));
  ASSERT_FALSE(status);
  EXPECT_TRUE(status.error().message.starts_with("worker is build 1.1, this coordinator 1.0: "));
  EXPECT_TRUE(check_hello(make_hello("worker", "1.0"), make_hello("coordinator", "1.0")));
}

class HelloExchange : public ::testing::Test {
 protected:
  HelloExchange() {
    auto pair = make_socket_pair();
    worker_.emplace(loop_.get_executor(), std::move(pair->first));
    coordinator_.emplace(loop_.get_executor(), std::move(pair->second));
  }

  void exchange(Channel& channel, Hello ours, std::optional<Result<Hello>>& theirs,
                std::chrono::milliseconds limit = 60s) {
    const Deadline deadline = std::chrono::steady_clock::now() + limit;
    asio::co_spawn(loop_, exchange_hello(channel, std::move(ours), deadline),
                   [&theirs](const std::exception_ptr& thrown, Result<Hello> result) {
                     EXPECT_FALSE(thrown);
                     theirs = std::move(result);
                   });
  }

  asio::io_context loop_;
  std::optional<Channel> worker_;
  std::optional<Channel> coordinator_;
  std::optional<Result<Hello>> seen_by_worker_;
  std::optional<Result<Hello>> seen_by_coordinator_;
};

TEST_F(HelloExchange, TellsBothSidesAboutEachOther) {
  exchange(*worker_, make_hello("worker", "b"), seen_by_worker_);
  exchange(*coordinator_, make_hello("coordinator", "b"), seen_by_coordinator_);
  loop_.run();
  EXPECT_EQ((*seen_by_worker_)->role, "coordinator");
  EXPECT_EQ((*seen_by_coordinator_)->role, "worker");
}

TEST_F(HelloExchange, FailsOnBothSidesWhenTheyDiffer) {
  exchange(*worker_, make_hello("worker", "old"), seen_by_worker_);
  exchange(*coordinator_, make_hello("coordinator", "new"), seen_by_coordinator_);
  loop_.run();
  EXPECT_EQ(seen_by_worker_->error().code, ErrorCode::conflict);
  EXPECT_EQ(seen_by_coordinator_->error().code, ErrorCode::conflict);
}

TEST_F(HelloExchange, DoesNotWaitBeyondTheDeadline) {
  exchange(*worker_, make_hello("worker", "b"), seen_by_worker_, 1ms);
  loop_.run();
  EXPECT_EQ(seen_by_worker_->error().code, ErrorCode::timeout);
}

TEST_F(HelloExchange, FailsWhenSomethingElseComesFirst) {
  coordinator_->post({1, 0, "work!"});
  exchange(*worker_, make_hello("worker", "b"), seen_by_worker_);
  loop_.run();
  EXPECT_EQ(seen_by_worker_->error().code, ErrorCode::corrupt);
}

TEST_F(HelloExchange, FailsAtOnceWhenTheOtherSideIsGone) {
  coordinator_.reset();
  exchange(*worker_, make_hello("worker", "b"), seen_by_worker_);
  loop_.run();
  EXPECT_EQ(seen_by_worker_->error().code, ErrorCode::unavailable);
}

}  // namespace
}  // namespace heddle::ipc
