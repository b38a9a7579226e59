#include "net/client.hpp"

#include <thread>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <gmock/gmock.h>

#include "net/fetching_test.hpp"
#include "tests/support/test_site.hpp"

namespace heddle::net {
namespace {

using namespace std::chrono_literals;
using namespace heddle::testing;
namespace asio = boost::asio;
using ::testing::HasSubstr;

TEST(Client, FetchesAPage) {
  TestSite site;
  site.answer("/page", html("<p>hello</p>"));

  const auto response = expect_response(fetch(site.url("/page?x=1#top")));

  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.url, site.url("/page?x=1#top"));
  EXPECT_EQ(response.body, "<p>hello</p>");
  EXPECT_EQ(*find_header(response.headers, "content-type"), "text/html; charset=utf-8");
  EXPECT_EQ(response.wire_bytes, 12u);
  EXPECT_GT(response.time, 0us);
  EXPECT_EQ(site.requests("/page").at(0).target, "/page?x=1");
}

TEST(Client, SendsMethodHeadersAndBody) {
  TestSite site;
  site.answer("/form", html("ok"));
  FetchRequest request = get(site.url("/form"));
  request.method = "PUT";
  request.headers = {{"X-Empty", ""}, {"X-One", "1"}, {"Content-Type", "text/plain"}};
  request.body = std::string("a\0b", 3);

  expect_response(fetch(std::move(request)));

  const SiteRequest seen = site.requests("/form").at(0);
  EXPECT_EQ(seen.method, "PUT");
  EXPECT_EQ(seen.body, std::string("a\0b", 3));
  EXPECT_EQ(seen.header("x-one"), "1");
  EXPECT_EQ(seen.header("content-type"), "text/plain");
  EXPECT_EQ(seen.header("content-length"), "3");
  EXPECT_THAT(seen.header("user-agent"), HasSubstr("Heddle/"));
  EXPECT_THAT(seen.header("accept-encoding"), HasSubstr("gzip"));
}

TEST(Client, ResetsMethodAndBodyBeforeTheNextRequest) {
  TestSite site;
  site.handle_rest([](const SiteRequest&) { return html("ok"); });
  run_async([](TestSite& place) -> Async<void> {
    const auto client = *Client::make(co_await asio::this_coro::executor, allowing_loopback());
    for (const char* method : {"POST", "GET", "HEAD", "GET", "DELETE", "OPTIONS", "POST", "GET"}) {
      FetchRequest request = get(place.url("/"));
      request.method = method;
      if (request.method == "POST") request.body = "data";
      expect_response(co_await client->fetch(std::move(request)));
    }
  }(site));

  const auto seen = site.requests("/");
  ASSERT_EQ(seen.size(), 8u);
  const std::vector<std::string> methods{"POST",   "GET",     "HEAD", "GET",
                                         "DELETE", "OPTIONS", "POST", "GET"};
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(seen[i].method, methods[i]);
    EXPECT_EQ(seen[i].body, methods[i] == "POST" ? "data" : "");
    EXPECT_EQ(seen[i].header("content-type"), "");
  }
  EXPECT_EQ(site.connections(), 1u);
}

TEST(Client, AddsTheHeadersOfAHost) {
  TestSite site;
  site.answer("/", html("ok"));
  ClientSettings settings = allowing_loopback();
  settings.network.user_agent = "Custom/1";
  settings.hosts["127.0.0.1"].headers = {{"X-Token", "host"}, {"Accept-Language", "de"}};
  settings.hosts["other.example"].headers = {{"X-Other", "no"}};
  FetchRequest request = get(site.url());
  request.headers = {{"accept-language", "fr"}};

  expect_response(fetch(std::move(request), {}, settings));

  const SiteRequest seen = site.requests("/").at(0);
  EXPECT_EQ(seen.header("x-token"), "host");
  EXPECT_EQ(seen.header("accept-language"), "fr");
  EXPECT_EQ(seen.header("user-agent"), "Custom/1");
  EXPECT_EQ(seen.header("x-other"), "");
}

TEST(Client, RefusesHeadersThatWouldSmuggleARequest) {
  TestSite site;
  FetchRequest request = get(site.url());
  request.headers = {{"X", "1\r\nHost: evil"}};
  EXPECT_THAT(expect_error(fetch(request)).message, HasSubstr("control character"));
  request.headers = {{"X\r\nY", "1"}};
  EXPECT_THAT(expect_error(fetch(request)).message, HasSubstr("header name"));
  request.headers = {};
  request.method = "GET / HTTP/1.1\r\nX:";
  EXPECT_THAT(expect_error(fetch(request)).message, HasSubstr("method"));
  EXPECT_EQ(site.connections(), 0u);
}

TEST(Client, ReadsChunkedGzippedAndUnframedBodies) {
  TestSite site;
  const std::string text(100'000, 'x');
  SiteResponse chunked = html(text);
  chunked.behaviour = SiteBehaviour::chunked;
  site.answer("/chunked", chunked);
  site.answer("/gzip", gzipped(text));
  site.answer("/unframed", misbehaving(SiteBehaviour::until_closed, text));

  EXPECT_EQ(expect_response(fetch(site.url("/chunked"))).body, text);
  EXPECT_EQ(expect_response(fetch(site.url("/unframed"))).body, text);
  const auto unpacked = expect_response(fetch(site.url("/gzip")));
  EXPECT_EQ(unpacked.body, text);
  EXPECT_LT(unpacked.wire_bytes, 1000u);
}

TEST(Client, ReturnsNotModifiedAsAResponse) {
  TestSite site;
  site.answer("/", {.status = 304, .headers = {{"ETag", "\"v1\""}}});
  FetchRequest request = get(site.url());
  request.headers = {{"If-None-Match", "\"v1\""}, {"If-Modified-Since", "yesterday"}};

  const auto response = expect_response(fetch(std::move(request)));

  EXPECT_EQ(response.status, 304);
  EXPECT_EQ(*find_header(response.headers, "etag"), "\"v1\"");
  EXPECT_EQ(site.requests("/").at(0).header("if-none-match"), "\"v1\"");
}

TEST(Client, ReportsOtherStatusesWithTheResponseInside) {
  TestSite site;
  struct Case {
    int status;
    bool transient;
  };
  for (const auto& [status, transient] :
       {Case{400, false}, Case{403, false}, Case{404, false}, Case{429, true}, Case{500, true},
        Case{503, true}, Case{300, false}, Case{305, false}}) {
    site.answer("/", {.status = status, .body = "why"});
    const auto error = expect_error(fetch(site.url()));
    EXPECT_EQ(error.kind, FetchErrorKind::http) << status;
    EXPECT_EQ(error.transient, transient) << status;
    ASSERT_TRUE(error.response);
    EXPECT_EQ(error.response->status, status);
    EXPECT_EQ(error.response->body, "why");
  }
}

TEST(Client, ReturnsAnyStatusWhenConfigured) {
  TestSite site;
  site.answer("/", {.status = 404, .body = "gone"});
  const FetchOptions options{.fails_on_http_error = false};
  EXPECT_EQ(expect_response(fetch(get(site.url()), options)).status, 404);
}

TEST(Client, TimesOutOnSilenceAndOnBodiesThatStall) {
  TestSite site;
  site.answer("/silent", misbehaving(SiteBehaviour::silent));
  site.answer("/stalled", misbehaving(SiteBehaviour::stalled, "some"));
  for (const char* path : {"/silent", "/stalled"}) {
    FetchRequest request = get(site.url(path));
    request.timeout = 100ms;
    const auto error = expect_error(fetch(std::move(request)));
    EXPECT_EQ(error.kind, FetchErrorKind::timeout) << path;
    EXPECT_TRUE(error.transient);
    EXPECT_THAT(error.message, HasSubstr("100ms"));
  }
}

TEST(Client, CountsTheTimeoutOverAllHops) {
  TestSite site;
  site.answer("/a", redirect("/b"));
  site.answer("/b", redirect("/c"));
  site.answer("/c", misbehaving(SiteBehaviour::silent));
  FetchRequest request = get(site.url("/a"));
  request.timeout = 150ms;
  EXPECT_EQ(expect_error(fetch(std::move(request))).kind, FetchErrorKind::timeout);
}

TEST(Client, ReportsBrokenConnectionsAsTransient) {
  TestSite site;
  site.answer("/reset", misbehaving(SiteBehaviour::reset));
  site.answer("/none", misbehaving(SiteBehaviour::no_answer));
  site.answer("/cut", misbehaving(SiteBehaviour::truncated, "half"));
  for (const char* path : {"/reset", "/none", "/cut"}) {
    const auto error = expect_error(fetch(site.url(path)));
    EXPECT_EQ(error.kind, FetchErrorKind::connect) << path << error.message;
    EXPECT_TRUE(error.transient) << path;
  }
}

TEST(Client, ReportsARefusedConnectionAsTransient) {
  std::string url;
  {
    TestSite site;
    url = site.url();
  }
  const auto error = expect_error(fetch(url));
  EXPECT_EQ(error.kind, FetchErrorKind::connect);
  EXPECT_TRUE(error.transient);
}

TEST(Client, ReportsAnUnknownNameAsADnsError) {
  const auto error = expect_error(fetch("http://no-such-name.invalid/"));
  EXPECT_EQ(error.kind, FetchErrorKind::dns);
  EXPECT_TRUE(error.transient);
  EXPECT_THAT(error.message, HasSubstr("no-such-name.invalid"));
}

// Answers one connection in plain HTTP.
class PlainSpeaker {
 public:
  PlainSpeaker() : acceptor_(loop_, {asio::ip::address_v4::loopback(), 0}) {
    thread_ = std::thread([this] {
      auto socket = acceptor_.accept();
      char byte = 0;
      asio::read(socket, asio::buffer(&byte, 1));
      asio::write(socket, asio::buffer("HTTP/1.1 400 Plain\r\n\r\n", 22));
    });
  }
  ~PlainSpeaker() { thread_.join(); }
  [[nodiscard]] std::uint16_t port() const { return acceptor_.local_endpoint().port(); }

 private:
  asio::io_context loop_;
  asio::ip::tcp::acceptor acceptor_;
  std::thread thread_;
};

TEST(Client, ReportsATlsFailureAsATlsError) {
  const PlainSpeaker server;
  const auto error =
      expect_error(fetch("https://127.0.0.1:" + std::to_string(server.port()) + "/"));
  EXPECT_EQ(error.kind, FetchErrorKind::tls) << error.message;
  EXPECT_FALSE(error.transient);
}

TEST(Client, RefusesOtherSchemesAndBadUrls) {
  for (const char* url : {"file:///etc/passwd", "ftp://127.0.0.1/", "http://u:p@127.0.0.1/", "x"}) {
    const auto error = expect_error(fetch(std::string(url)));
    EXPECT_EQ(error.kind, FetchErrorKind::blocked) << url;
    EXPECT_FALSE(error.transient);
  }
}

TEST(Client, ReusesConnections) {
  TestSite site;
  site.answer("/", html("ok"));
  run_async([](TestSite& place) -> Async<void> {
    const auto client = *Client::make(co_await asio::this_coro::executor, allowing_loopback());
    for (int i = 0; i < 5; ++i) expect_response(co_await client->fetch(get(place.url())));
  }(site));
  EXPECT_EQ(site.count("/"), 5u);
  EXPECT_EQ(site.connections(), 1u);
  EXPECT_TRUE(site.wait_for_no_connections());
}

TEST(Client, FetchesConcurrently) {
  TestSite site;
  site.handle_rest([](const SiteRequest& request) { return html(request.query); });
  asio::io_context loop;
  const auto client = *Client::make(loop.get_executor(), allowing_loopback());
  int done = 0;
  const auto fetch_one = [&](int number) -> Async<void> {
    const auto response =
        expect_response(co_await client->fetch(get(site.url("/?" + std::to_string(number)))));
    EXPECT_EQ(response.body, std::to_string(number));
    ++done;
  };
  for (int i = 0; i < 100; ++i) asio::co_spawn(loop, fetch_one(i), asio::detached);
  loop.run();
  EXPECT_EQ(done, 100);
}

TEST(Client, EndsATransferWhenItsCoroutineIsCancelled) {
  TestSite site;
  site.answer("/", misbehaving(SiteBehaviour::silent));
  const bool was_cancelled = run_async([](TestSite& place) -> Async<bool> {
    using namespace asio::experimental::awaitable_operators;
    const auto client = *Client::make(co_await asio::this_coro::executor, allowing_loopback());
    asio::steady_timer soon(co_await asio::this_coro::executor, 50ms);
    FetchRequest request = get(place.url());
    auto winner =
        co_await (client->fetch(std::move(request)) || soon.async_wait(asio::use_awaitable));
    EXPECT_TRUE(place.wait_for_no_connections());
    co_return winner.index() == 2;  // Asio joins the two kinds of outcome and the timer's nothing
  }(site));
  EXPECT_TRUE(was_cancelled);
}

TEST(Client, SurvivesTheDestructionOfItsLoopDuringAFetch) {
  TestSite site;
  site.answer("/", misbehaving(SiteBehaviour::silent));
  {
    asio::io_context loop;
    const auto client = *Client::make(loop.get_executor(), allowing_loopback());
    const auto fetch_one = [&]() -> Async<void> {
      co_await client->fetch(get(site.url()));
      ADD_FAILURE() << "must not go on";
    };
    asio::co_spawn(loop, fetch_one(), asio::detached);
    while (site.count("/") == 0) loop.run_for(1ms);
  }
  EXPECT_TRUE(site.wait_for_no_connections());
}

TEST(Client, EndsRunningFetchesWhenItIsDestroyed) {
  TestSite site;
  site.answer("/", misbehaving(SiteBehaviour::silent));
  asio::io_context loop;
  auto client = *Client::make(loop.get_executor(), allowing_loopback());
  std::optional<FetchOutcome> outcome;
  const auto fetch_one = [&]() -> Async<void> {
    outcome = co_await client->fetch(get(site.url()));
  };
  asio::co_spawn(loop, fetch_one(), asio::detached);
  while (site.count("/") == 0) loop.run_for(1ms);
  client.reset();
  loop.restart();
  loop.run();
  ASSERT_TRUE(outcome);
  EXPECT_THAT(expect_error(*outcome).message, HasSubstr("closed"));
}

}  // namespace
}  // namespace heddle::net
