#include <optional>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <gtest/gtest.h>

#include "net/hosts/host_pace.hpp"
#include "net/hosts/local_host_gate.hpp"

namespace heddle::net {
namespace {

using namespace std::chrono_literals;
namespace asio = boost::asio;

const Deadline kStart{1000h};

TEST(HostPace, LimitsConcurrency) {
  HostPace pace({.concurrency = 2});
  pace.start(kStart);
  EXPECT_TRUE(pace.next_start());
  pace.start(kStart);
  EXPECT_EQ(pace.next_start(), std::nullopt);
  pace.finish();
  EXPECT_TRUE(pace.next_start());
}

TEST(HostPace, KeepsADelayBetweenStarts) {
  HostPace pace({.concurrency = 4, .delay = 500ms});
  pace.start(kStart);
  EXPECT_EQ(pace.next_start(), kStart + 500ms);
  pace.start(kStart + 700ms);
  EXPECT_EQ(pace.next_start(), kStart + 1200ms);
}

TEST(HostPace, StaysSlowUntilTheGivenTime) {
  HostPace pace({});
  pace.slow_down(kStart + 60s);
  pace.slow_down(kStart + 10s);
  EXPECT_EQ(pace.next_start(), kStart + 60s);
  EXPECT_FALSE(pace.is_idle(kStart));
  EXPECT_TRUE(pace.is_idle(kStart + 60s));
}

class LocalHostGateTest : public ::testing::Test {
 protected:
  void make_gate(HostLimits limits, std::map<std::string, HostRule> hosts = {}) {
    gate_ = std::make_unique<LocalHostGate>(loop_.get_executor(), limits, std::move(hosts));
  }

  // Enters, notes its name, stays a while and leaves.
  Async<void> visit(std::string host, int name, std::chrono::milliseconds stay) {
    const HostGrant grant = co_await gate_->enter(std::move(host));
    entered_.push_back(name);
    most_inside_ = std::max(most_inside_, ++inside_);
    asio::steady_timer timer(loop_, stay);
    co_await timer.async_wait(asio::use_awaitable);
    --inside_;
  }
  void spawn_visit(std::string host, int name, std::chrono::milliseconds stay = 0ms) {
    asio::co_spawn(loop_, visit(std::move(host), name, stay), asio::detached);
  }

  asio::io_context loop_;
  std::unique_ptr<LocalHostGate> gate_;
  std::vector<int> entered_;
  int inside_ = 0;
  int most_inside_ = 0;
};

TEST_F(LocalHostGateTest, GrantsUpToTheLimitInOrderOfArrival) {
  make_gate({.concurrency = 3});
  for (int i = 0; i < 20; ++i) spawn_visit("h.example", i, 1ms);
  loop_.run();
  EXPECT_EQ(most_inside_, 3);
  ASSERT_EQ(entered_.size(), 20u);
  EXPECT_TRUE(std::is_sorted(entered_.begin(), entered_.end()));
  EXPECT_EQ(gate_->remembered_hosts(), 0u);
}

TEST_F(LocalHostGateTest, LimitsEachHostByItsOwnRules) {
  HostRule wide;
  wide.concurrency = 5;
  make_gate({.concurrency = 1}, {{"wide.example", wide}});
  for (int i = 0; i < 5; ++i) spawn_visit("Wide.Example.", i, 5ms);
  for (int i = 5; i < 8; ++i) spawn_visit("a" + std::to_string(i) + ".example", i, 5ms);
  loop_.run();
  EXPECT_EQ(most_inside_, 8);
}

TEST(GateKey, CountsTheStandardPortsOfAHostTogether) {
  const auto key = [](const char* url) { return gate_key(*Url::parse(url)); };
  EXPECT_EQ(key("http://h.example/"), "h.example");
  EXPECT_EQ(key("https://h.example/"), "h.example");
  EXPECT_EQ(key("http://h.example:443/"), "h.example");
  EXPECT_EQ(key("http://h.example:8080/"), "h.example:8080");
  EXPECT_EQ(key("http://[2001:db8::1]/"), "[2001:db8::1]");
  EXPECT_EQ(key("http://[2001:db8::1]:81/"), "[2001:db8::1]:81");
}

TEST_F(LocalHostGateTest, SlowsDownOnlyThePortThatAsks) {
  make_gate({.concurrency = 1});
  gate_->slow_down("h.example:8080", std::chrono::steady_clock::now() + 1h);
  spawn_visit("H.example.:8080", 0);
  spawn_visit("h.example:9090", 1);
  spawn_visit("h.example", 2);
  spawn_visit("[2001:db8::1]", 3);
  loop_.poll();
  EXPECT_EQ(entered_, (std::vector<int>{1, 2, 3}));
  gate_.reset();
}

TEST_F(LocalHostGateTest, AppliesTheRuleOfAHostToEachOfItsPorts) {
  HostRule narrow;
  narrow.concurrency = 1;
  make_gate({.concurrency = 9}, {{"h.example", narrow}});
  for (int i = 0; i < 3; ++i) spawn_visit("h.example:8080", i, 1ms);
  loop_.run();
  EXPECT_EQ(most_inside_, 1);
}

TEST_F(LocalHostGateTest, WaitsBetweenStarts) {
  make_gate({.concurrency = 4, .delay = 20ms});
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 4; ++i) spawn_visit("h.example", i);
  loop_.run();
  EXPECT_GE(std::chrono::steady_clock::now() - start, 60ms);
  EXPECT_EQ(entered_.size(), 4u);
}

TEST_F(LocalHostGateTest, GrantsNoRequestToASlowedDownHost) {
  make_gate({.concurrency = 4});
  gate_->slow_down("h.example", std::chrono::steady_clock::now() + 1h);
  spawn_visit("h.example", 1);
  spawn_visit("h.example", 2);
  spawn_visit("other.example", 3);
  loop_.poll();
  EXPECT_EQ(entered_, std::vector<int>{3});
}

TEST_F(LocalHostGateTest, GrantsRequestsAgainAfterTheDelay) {
  make_gate({.concurrency = 4});
  const auto until = std::chrono::steady_clock::now() + 50ms;
  gate_->slow_down("h.example", until);
  spawn_visit("h.example", 1);
  spawn_visit("h.example", 2);
  loop_.run();
  EXPECT_GE(std::chrono::steady_clock::now(), until);
  EXPECT_EQ(entered_, (std::vector<int>{1, 2}));
}

TEST_F(LocalHostGateTest, PassesTheTurnOfACancelledWaiterToTheNext) {
  make_gate({.concurrency = 1});
  std::optional<HostGrant> inside;
  const auto stay = [&]() -> Async<void> { inside = co_await gate_->enter("h.example"); };
  const auto impatient = [&]() -> Async<void> {
    using namespace asio::experimental::awaitable_operators;
    asio::steady_timer soon(loop_, 5ms);
    const auto winner =
        co_await (visit("h.example", 2, 0ms) || soon.async_wait(asio::use_awaitable));
    EXPECT_EQ(winner.index(), 1u);
    inside.reset();
  };
  asio::co_spawn(loop_, stay(), asio::detached);
  loop_.poll();
  ASSERT_TRUE(inside);
  asio::co_spawn(loop_, impatient(), asio::detached);
  spawn_visit("h.example", 3);
  loop_.restart();
  loop_.run();
  EXPECT_EQ(entered_, std::vector<int>{3});
  EXPECT_EQ(gate_->remembered_hosts(), 0u);
}

TEST_F(LocalHostGateTest, SurvivesTheDestructionOfItsLoopWithWaiters) {
  auto loop = std::make_unique<asio::io_context>();
  LocalHostGate gate(loop->get_executor(), {.concurrency = 1}, {});
  const auto stay = [&]() -> Async<void> {
    const HostGrant grant = co_await gate.enter("h.example");
    asio::steady_timer timer(*loop, 1h);
    co_await timer.async_wait(asio::use_awaitable);
  };
  for (int i = 0; i < 3; ++i) asio::co_spawn(*loop, stay(), asio::detached);
  loop->poll();
  EXPECT_EQ(gate.remembered_hosts(), 1u);
}

TEST_F(LocalHostGateTest, DropsIdleHosts) {
  make_gate({.concurrency = 4, .delay = 1ms});
  for (int i = 0; i < 1000; ++i) spawn_visit("host" + std::to_string(i) + ".example", i);
  loop_.run();
  asio::steady_timer until_idle(loop_, 2ms);
  until_idle.wait();
  // It sweeps when the number of hosts has doubled, which these cause at the latest.
  for (int i = 0; i < 2000; ++i) spawn_visit("other" + std::to_string(i) + ".example", i);
  loop_.restart();
  loop_.run();
  EXPECT_LE(gate_->remembered_hosts(), 2000u);
}

TEST_F(LocalHostGateTest, AppliesNewLimitsImmediately) {
  make_gate({.concurrency = 1});
  for (int i = 0; i < 4; ++i) spawn_visit("h.example", i, 5ms);
  loop_.poll();
  EXPECT_EQ(inside_, 1);
  gate_->set_limits({.concurrency = 4}, {});
  loop_.restart();
  loop_.run();
  EXPECT_EQ(most_inside_, 4);
}

TEST(HostPace, UsesTheLongerOfTheLimitAndTheCrawlDelay) {
  HostPace pace({.concurrency = 4, .delay = 2s});
  pace.keep_apart(5s, kStart + 10min);
  pace.start(kStart);
  EXPECT_EQ(pace.next_start(), kStart + 5s);
  pace.keep_apart(1s, kStart + 10min);
  pace.start(kStart + 5s);
  EXPECT_EQ(pace.next_start(), kStart + 7s);
}

TEST(HostPace, AppliesANewDelayToTheCurrentPause) {
  HostPace pace({.concurrency = 4, .delay = 60s});
  pace.start(kStart);
  EXPECT_EQ(pace.next_start(), kStart + 60s);
  pace.set_limits({.concurrency = 4, .delay = 1s});
  EXPECT_EQ(pace.next_start(), kStart + 1s);
  pace.slow_down(kStart + 10s);
  pace.set_limits({.concurrency = 4});
  EXPECT_EQ(pace.next_start(), kStart + 10s) << "what the site asked for stays";
}

TEST(HostPace, KeepsTheCrawlDelayUntilItExpires) {
  HostPace pace({});
  pace.keep_apart(1s, kStart + 10min);
  EXPECT_FALSE(pace.is_idle(kStart + 9min));
  EXPECT_TRUE(pace.is_idle(kStart + 10min));
}

}  // namespace
}  // namespace heddle::net
