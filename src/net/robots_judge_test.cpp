#include "net/robots_judge.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <gmock/gmock.h>

#include "net/fetching_test.hpp"
#include "net/local_host_gate.hpp"
#include "tests/support/test_site.hpp"

namespace heddle::net {
namespace {

using namespace std::chrono_literals;
using namespace heddle::testing;
namespace asio = boost::asio;
using ::testing::HasSubstr;

bool always(const Url&) {
  return true;
}

class RobotsJudgeTest : public ::testing::Test {
 protected:
  // As the pipeline does it: a place at the gate, then the fetch with all its hops.
  FetchOutcome fetch_page(std::string url, RobotsJudge::Obeys obeys = always,
                          std::chrono::milliseconds timeout = 60s) {
    FetchRequest request = get(std::move(url));
    request.timeout = timeout;
    std::optional<FetchOutcome> outcome;
    const auto work = [&]() -> Async<void> {
      RobotsJudge judge(cache_, {}, "", obeys);
      const HostGrant grant = co_await gate_.enter("127.0.0.1");
      FetchOptions options;
      options.judge = &judge;
      outcome = co_await client_->fetch(std::move(request), options);
    };
    asio::co_spawn(loop_, work(), asio::detached);
    loop_.restart();
    while (!outcome) loop_.run_one();
    return std::move(*outcome);
  }

  TestSite first_;
  TestSite second_;
  asio::io_context loop_;
  std::unique_ptr<Client> client_ = *Client::make(loop_.get_executor(), allowing_loopback());
  ManualClock clock_{WallTime(100h)};
  // One place for both sites, which share a host: whoever waits for a second one waits forever.
  LocalHostGate gate_{loop_.get_executor(), HostLimits{.concurrency = 1}, {}};
  RobotsCache cache_{*client_, clock_, &gate_};
};

TEST_F(RobotsJudgeTest, RefusesARedirectToADisallowedPage) {
  first_.answer("/", redirect(second_.url("/private/x")));
  second_.answer("/robots.txt", {.body = "User-agent: *\nDisallow: /private\n"});
  second_.answer("/private/x", html("secret"));
  const auto error = expect_error(fetch_page(first_.url("/")));
  EXPECT_EQ(error.kind, FetchErrorKind::blocked);
  EXPECT_FALSE(error.transient);
  EXPECT_THAT(error.message, HasSubstr("/robots.txt disallows /private/x"));
  EXPECT_EQ(second_.count("/private/x"), 0u);
}

TEST_F(RobotsJudgeTest, AsksForEveryHop) {
  first_.answer("/", redirect(second_.url("/a")));
  second_.answer("/robots.txt", {.body = "User-agent: *\nDisallow: /b\n"});
  second_.answer("/a", redirect("/b"));
  expect_error(fetch_page(first_.url("/")));
  EXPECT_EQ(second_.count("/a"), 1u);
  EXPECT_EQ(second_.count("/b"), 0u);
}

TEST_F(RobotsJudgeTest, LetsAnAllowedRedirectPass) {
  first_.answer("/", redirect(second_.url("/a")));
  second_.answer("/robots.txt", {.body = "User-agent: *\nDisallow: /b\n"});
  second_.answer("/a", html("ok"));
  EXPECT_EQ(expect_response(fetch_page(first_.url("/"))).body, "ok");
}

TEST_F(RobotsJudgeTest, LeavesHostsAloneThatNeedNotBeObeyed) {
  first_.answer("/", redirect(second_.url("/b")));
  second_.answer("/robots.txt", {.body = "User-agent: *\nDisallow: /\n"});
  second_.answer("/b", html("ok"));
  expect_response(fetch_page(first_.url("/"), [](const Url&) { return false; }));
  EXPECT_EQ(second_.count("/robots.txt"), 0u);
}

TEST_F(RobotsJudgeTest, DoesNotWaitForADownloadThatStandsInLineBehindTheFetch) {
  first_.answer("/", redirect(second_.url("/a")));
  second_.answer("/a", html("ok"));
  const auto in_line = [&]() -> Async<void> {
    const Url page = *Url::parse(second_.url("/other"));
    co_await cache_.check(page, FetchOptions(), "");
  };
  std::optional<HostGrant> place;
  const auto take_place = [&]() -> Async<void> { place = co_await gate_.enter("127.0.0.1"); };
  asio::co_spawn(loop_, take_place(), asio::detached);
  while (!place) loop_.run_one();
  asio::co_spawn(loop_, in_line(), asio::detached);
  loop_.poll();
  RobotsJudge judge(cache_, {}, "", always);
  std::optional<std::optional<std::string>> refusal;
  const auto ask = [&]() -> Async<void> {
    const Url page = *Url::parse(second_.url("/a"));
    refusal = co_await judge.refuse(page);
  };
  asio::co_spawn(loop_, ask(), asio::detached);
  while (!refusal) loop_.run_one();
  EXPECT_EQ(*refusal, std::nullopt);
  place.reset();
  loop_.run();
  EXPECT_EQ(second_.count("/robots.txt"), 1u) << "the one in line found the answer there";
}

TEST_F(RobotsJudgeTest, DoesNotStretchTheTimeoutOfTheFetch) {
  first_.answer("/", redirect(second_.url("/a")));
  second_.answer("/robots.txt", misbehaving(SiteManner::silent));
  const auto error = expect_error(fetch_page(first_.url("/"), always, 200ms));
  EXPECT_EQ(error.kind, FetchErrorKind::timeout);
  EXPECT_TRUE(error.transient);
}

}  // namespace
}  // namespace heddle::net
