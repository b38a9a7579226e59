#include "net/robots/robots_redirect_policy.hpp"

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
using ::testing::HasSubstr;

bool always(const Url&) {
  return true;
}

class RobotsRedirectPolicyTest : public ::testing::Test {
 protected:
  // Like the pipeline: enters the gate, then fetches with all hops.
  FetchOutcome fetch_page(std::string url, RobotsRedirectPolicy::Obeys obeys = always,
                          std::chrono::milliseconds timeout = 60s) {
    FetchRequest request = get(std::move(url));
    request.timeout = timeout;
    std::optional<FetchOutcome> outcome;
    const auto work = [&]() -> Async<void> {
      RobotsRedirectPolicy policy(cache_, {}, "", obeys);
      const HostGrant grant = co_await gate_.enter(gate_key(*Url::parse(request.url)));
      FetchOptions options;
      options.redirect_policy = &policy;
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
  // One grant for both sites, which share a host: waiting for a second one would never end.
  LocalHostGate gate_{loop_.get_executor(), HostLimits{.concurrency = 1}, {}};
  RobotsCache cache_{*client_, clock_, &gate_};
};

TEST_F(RobotsRedirectPolicyTest, RefusesARedirectToADisallowedPage) {
  first_.answer("/", redirect(second_.url("/private/x")));
  second_.answer("/robots.txt", {.body = "User-agent: *\nDisallow: /private\n"});
  second_.answer("/private/x", html("secret"));
  const auto error = expect_error(fetch_page(first_.url("/")));
  EXPECT_EQ(error.kind, FetchErrorKind::blocked);
  EXPECT_FALSE(error.transient);
  EXPECT_THAT(error.message, HasSubstr("/robots.txt disallows /private/x"));
  EXPECT_EQ(second_.count("/private/x"), 0u);
}

TEST_F(RobotsRedirectPolicyTest, ChecksEveryHop) {
  first_.answer("/", redirect(second_.url("/a")));
  second_.answer("/robots.txt", {.body = "User-agent: *\nDisallow: /b\n"});
  second_.answer("/a", redirect("/b"));
  expect_error(fetch_page(first_.url("/")));
  EXPECT_EQ(second_.count("/a"), 1u);
  EXPECT_EQ(second_.count("/b"), 0u);
}

TEST_F(RobotsRedirectPolicyTest, LetsAnAllowedRedirectPass) {
  first_.answer("/", redirect(second_.url("/a")));
  second_.answer("/robots.txt", {.body = "User-agent: *\nDisallow: /b\n"});
  second_.answer("/a", html("ok"));
  EXPECT_EQ(expect_response(fetch_page(first_.url("/"))).body, "ok");
}

TEST_F(RobotsRedirectPolicyTest, IgnoresHostsThatNeedNotBeObeyed) {
  first_.answer("/", redirect(second_.url("/b")));
  second_.answer("/robots.txt", {.body = "User-agent: *\nDisallow: /\n"});
  second_.answer("/b", html("ok"));
  expect_response(fetch_page(first_.url("/"), [](const Url&) { return false; }));
  EXPECT_EQ(second_.count("/robots.txt"), 0u);
}

TEST_F(RobotsRedirectPolicyTest, DoesNotWaitForADownloadQueuedBehindTheFetch) {
  first_.answer("/", redirect(second_.url("/a")));
  second_.answer("/a", html("ok"));
  const auto in_line = [&]() -> Async<void> {
    const Url page = *Url::parse(second_.url("/other"));
    co_await cache_.check(page, FetchOptions(), "");
  };
  std::optional<HostGrant> grant;
  const auto take_grant = [&]() -> Async<void> {
    grant = co_await gate_.enter(gate_key(*Url::parse(second_.url())));
  };
  asio::co_spawn(loop_, take_grant(), asio::detached);
  while (!grant) loop_.run_one();
  asio::co_spawn(loop_, in_line(), asio::detached);
  loop_.poll();
  RobotsRedirectPolicy policy(cache_, {}, "", always);
  std::optional<std::optional<std::string>> refusal;
  const auto ask = [&]() -> Async<void> {
    const Url page = *Url::parse(second_.url("/a"));
    refusal = co_await policy.refuse(page);
  };
  asio::co_spawn(loop_, ask(), asio::detached);
  while (!refusal) loop_.run_one();
  EXPECT_EQ(*refusal, std::nullopt);
  grant.reset();
  loop_.run();
  EXPECT_EQ(second_.count("/robots.txt"), 1u) << "the one in line found the answer there";
}

TEST_F(RobotsRedirectPolicyTest, DoesNotExtendTheTimeoutOfTheFetch) {
  first_.answer("/", redirect(second_.url("/a")));
  second_.answer("/robots.txt", misbehaving(SiteBehaviour::silent));
  const auto error = expect_error(fetch_page(first_.url("/"), always, 200ms));
  EXPECT_EQ(error.kind, FetchErrorKind::timeout);
  EXPECT_TRUE(error.transient);
}

}  // namespace
}  // namespace heddle::net
