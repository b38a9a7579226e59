#include "net/robots/robots_cache.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <gmock/gmock.h>

#include "net/fetching_test.hpp"
#include "net/hosts/local_host_gate.hpp"
#include "tests/support/test_site.hpp"

namespace heddle::net {
namespace {

using namespace std::chrono_literals;
using namespace heddle::testing;
namespace asio = boost::asio;
using enum RobotsVerdict;

constexpr FetchOptions kOptions;

class RobotsCacheTest : public ::testing::Test {
 protected:
  RobotsAnswer check(std::string path) {
    std::optional<RobotsAnswer> answer;
    const auto ask = [&]() -> Async<void> {
      answer = co_await cache_.check(*Url::parse(site_.url(path)), kOptions, "");
    };
    asio::co_spawn(loop_, ask(), asio::detached);
    loop_.restart();
    loop_.run();
    return answer.value_or(RobotsAnswer{.reason = "no answer"});
  }

  TestSite site_;
  asio::io_context loop_;
  std::unique_ptr<Client> client_ = *Client::make(loop_.get_executor(), allowing_loopback());
  ManualClock clock_{WallTime(100h)};
  LocalHostGate gate_{loop_.get_executor(), {}, {}};
  RobotsCache cache_{*client_, clock_, &gate_};
};

TEST_F(RobotsCacheTest, DownloadsOnceADay) {
  site_.answer("/robots.txt", {.body = "User-agent: *\nDisallow: /no\nCrawl-delay: 2\n"});
  EXPECT_EQ(check("/yes").verdict, allowed);
  const RobotsAnswer refused = check("/no/x?y");
  EXPECT_EQ(refused.verdict, disallowed);
  EXPECT_EQ(refused.crawl_delay, 2s);
  EXPECT_THAT(refused.reason, ::testing::HasSubstr("/robots.txt disallows /no/x?y"));
  EXPECT_EQ(site_.count("/robots.txt"), 1u);

  clock_.advance(24h + 1ms);
  site_.answer("/robots.txt", {.body = ""});
  EXPECT_EQ(check("/no").verdict, allowed);
  EXPECT_EQ(site_.count("/robots.txt"), 2u);
}

TEST_F(RobotsCacheTest, AllowsEverythingWhenThereIsNoFile) {
  for (const int status : {400, 401, 403, 404, 410}) {
    site_.answer("/robots.txt", {.status = status, .body = "User-agent: *\nDisallow: /\n"});
    clock_.advance(25h);
    EXPECT_EQ(check("/").verdict, allowed) << status;
  }
}

TEST_F(RobotsCacheTest, DisallowsWhileTheServerFailsAndRetriesSoon) {
  site_.answer("/robots.txt", {.status = 503});
  EXPECT_EQ(check("/").verdict, unreachable);
  EXPECT_EQ(check("/").verdict, unreachable);
  EXPECT_EQ(site_.count("/robots.txt"), 1u);
  site_.answer("/robots.txt", {.status = 200});
  clock_.advance(6min);
  EXPECT_EQ(check("/").verdict, allowed);
}

TEST_F(RobotsCacheTest, KeepsTheLastGoodRulesThroughAFailure) {
  site_.answer("/robots.txt", {.body = "User-agent: *\nDisallow: /no\n"});
  EXPECT_EQ(check("/no").verdict, disallowed);
  site_.answer("/robots.txt", misbehaving(SiteBehaviour::reset));
  clock_.advance(25h);
  EXPECT_EQ(check("/no").verdict, disallowed);
  EXPECT_EQ(check("/yes").verdict, allowed);
}

TEST_F(RobotsCacheTest, FollowsFiveRedirectsAndTreatsMoreAsNoFile) {
  site_.handle_rest([](const SiteRequest& request) {
    const int hop = request.path == "/robots.txt" ? 0 : std::stoi(request.path.substr(1));
    if (hop == 5) return SiteResponse{.body = "User-agent: *\nDisallow: /\n"};
    return redirect("/" + std::to_string(hop + 1));
  });
  EXPECT_EQ(check("/").verdict, disallowed);
  site_.answer("/5", redirect("/6"));
  clock_.advance(25h);
  EXPECT_EQ(check("/").verdict, allowed);
}

TEST_F(RobotsCacheTest, SharesOneDownloadBetweenConcurrentCalls) {
  site_.answer("/robots.txt", {.body = "User-agent: *\nDisallow: /no\n"});
  int answers = 0;
  const auto ask = [&]() -> Async<void> {
    const Url page = *Url::parse(site_.url("/no"));
    const RobotsAnswer answer = co_await cache_.check(page, kOptions, "");
    EXPECT_EQ(answer.verdict, disallowed);
    ++answers;
  };
  for (int i = 0; i < 20; ++i) asio::co_spawn(loop_, ask(), asio::detached);
  loop_.run();
  EXPECT_EQ(answers, 20);
  EXPECT_EQ(site_.count("/robots.txt"), 1u);
  EXPECT_EQ(cache_.remembered_origins(), 1u);
}

TEST_F(RobotsCacheTest, AppliesTheCrawlDelay) {
  site_.answer("/robots.txt", {.body = "User-agent: *\nCrawl-delay: 0.2\n"});
  check("/");
  std::vector<Deadline> starts;
  const auto enter = [&]() -> Async<void> {
    const HostGrant grant = co_await gate_.enter(gate_key(*Url::parse(site_.url())));
    starts.push_back(std::chrono::steady_clock::now());
  };
  const Deadline begun = std::chrono::steady_clock::now();
  for (int i = 0; i < 3; ++i) asio::co_spawn(loop_, enter(), asio::detached);
  loop_.restart();
  loop_.run();
  ASSERT_EQ(starts.size(), 3u);
  EXPECT_GE(starts[1] - begun, 200ms);
  EXPECT_GE(starts[2] - begun, 400ms);
}

TEST_F(RobotsCacheTest, LetsABlockedPageFailAsBlocked) {
  const auto ask = [&]() -> Async<void> {
    const Url page = *Url::parse("http://10.0.0.1/");
    const RobotsAnswer answer = co_await cache_.check(page, kOptions, "");
    EXPECT_EQ(answer.verdict, allowed);
  };
  asio::co_spawn(loop_, ask(), asio::detached);
  loop_.run();
}

}  // namespace
}  // namespace heddle::net
