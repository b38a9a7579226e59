// Tests the address guard at the socket.
#include <boost/asio/co_spawn.hpp>
#include <gmock/gmock.h>

#include "net/client.hpp"
#include "net/fetching_test.hpp"
#include "tests/support/test_site.hpp"

namespace heddle::net {
namespace {

using namespace heddle::testing;
namespace asio = boost::asio;
using ::testing::HasSubstr;

TEST(GuardedClient, RefusesLiteralPrivateAddressesWithoutConnecting) {
  TestSite site;
  for (const char* host : {"127.0.0.1", "127.1", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]",
                           "①②⑦.0.0.1", "0177.0.0.1", "127.0.0.1."}) {
    FetchRequest request = get("http://" + std::string(host) + ":" + std::to_string(site.port()));
    const auto error = expect_error(fetch(std::move(request), {}, ClientSettings{}));
    EXPECT_EQ(error.kind, FetchErrorKind::blocked) << host;
    EXPECT_FALSE(error.transient);
  }
  EXPECT_EQ(site.connections(), 0u);
}

TEST(GuardedClient, RefusesNamesThatResolveToLoopback) {
  TestSite site;
  for (const char* host : {"localhost", "LOCALHOST"}) {
    FetchRequest request = get("http://" + std::string(host) + ":" + std::to_string(site.port()));
    const auto error = expect_error(fetch(std::move(request), {}, ClientSettings{}));
    EXPECT_EQ(error.kind, FetchErrorKind::blocked) << host << error.message;
    EXPECT_THAT(error.message, HasSubstr("loopback; list it under [network] allow"));
  }
  EXPECT_EQ(site.connections(), 0u);
}

TEST(GuardedClient, RefusesAReboundName) {
  TestSite site;
  site.answer("/", html("inside").with_header("Connection", "close"));
  ClientSettings settings;
  settings.network.allow = {"127.0.0.1"};
  int lookups = 0;
  settings.names = [&](std::string_view) {
    const char* address = ++lookups == 1 ? "127.0.0.1" : "127.0.0.2";
    return std::vector{*IpAddress::parse(address)};
  };
  const std::string url = "http://rebound.example:" + std::to_string(site.port()) + "/";
  const auto second = run_async([](ClientSettings made, std::string page) -> Async<FetchOutcome> {
    const auto client = *Client::make(co_await asio::this_coro::executor, std::move(made));
    expect_response(co_await client->fetch(get(page)));
    co_return co_await client->fetch(get(page));
  }(settings, url));
  EXPECT_THAT(expect_error(second).message, HasSubstr("127.0.0.2 is loopback"));
  EXPECT_EQ(site.connections(), 1u);
}

TEST(GuardedClient, ConnectsToThePermittedOneOfSeveralAddresses) {
  TestSite site;
  site.answer("/", html("ok"));
  ClientSettings settings = allowing_loopback();
  settings.names = [](std::string_view) {
    return std::vector{*IpAddress::parse("127.0.0.2"), *IpAddress::parse("127.0.0.1")};
  };
  const std::string url = "http://two.example:" + std::to_string(site.port()) + "/";
  expect_response(fetch(get(url), {}, settings));
}

TEST(GuardedClient, PermitsTheAddressesOfAnAllowedName) {
  TestSite site;
  site.answer("/", html("ok"));
  ClientSettings settings;
  settings.network.allow = {"intranet.example"};
  settings.names = [](std::string_view) { return std::vector{*IpAddress::parse("127.0.0.1")}; };
  const std::string port = ":" + std::to_string(site.port()) + "/";
  expect_response(fetch(get("http://intranet.example" + port), {}, settings));
  EXPECT_EQ(expect_error(fetch(get("http://other.example" + port), {}, settings)).kind,
            FetchErrorKind::blocked);
}

TEST(GuardedClient, LetsOnlyDeliveriesReachWhatAllowDeliveryLists) {
  TestSite site;
  site.answer("/", html("ok"));
  ClientSettings settings;
  settings.network.allow_delivery = {"127.0.0.1"};
  const FetchOptions delivery{.traffic = TrafficClass::delivery};
  expect_response(fetch(get(site.url()), delivery, settings));
  EXPECT_EQ(expect_error(fetch(get(site.url()), {}, settings)).kind, FetchErrorKind::blocked);
}

TEST(GuardedClient, DoesNotReuseAConnectionThatAnotherGuardPermitted) {
  TestSite site;
  site.answer("/", html("ok"));
  ClientSettings settings = allowing_loopback();
  settings.names = [](std::string_view) { return std::vector{*IpAddress::parse("127.0.0.1")}; };
  const std::string url = "http://shop.example:" + std::to_string(site.port()) + "/";
  run_async([](ClientSettings made, std::string page) -> Async<void> {
    const auto client = *Client::make(co_await asio::this_coro::executor, std::move(made));
    expect_response(co_await client->fetch(get(page)));
    const AddressGuard narrower = *client->guard(TrafficClass::fetch).narrowed_by({"127.0.0.1"});
    const FetchOptions options{.guard = &narrower};
    const auto error = expect_error(co_await client->fetch(get(page), options));
    EXPECT_EQ(error.kind, FetchErrorKind::blocked);
    expect_response(co_await client->fetch(get(page)));
  }(settings, url));
  EXPECT_EQ(site.count("/"), 2u);
  EXPECT_EQ(site.connections(), 1u);
}

TEST(GuardedClient, IgnoresProxiesInTheEnvironment) {
  TestSite site;
  site.answer("/", html("direct"));
  setenv("http_proxy", "http://127.0.0.1:1", 1);
  setenv("ALL_PROXY", "socks5://127.0.0.1:1", 1);
  EXPECT_EQ(expect_response(fetch(site.url())).body, "direct");
  unsetenv("http_proxy");
  unsetenv("ALL_PROXY");
}

TEST(GuardedClient, NamesTheInvalidList) {
  asio::io_context loop;
  ClientSettings settings;
  settings.network.deny = {"not a host"};
  const auto client = Client::make(loop.get_executor(), std::move(settings));
  ASSERT_FALSE(client);
  EXPECT_THAT(client.error().message, HasSubstr("[network] deny"));
}

}  // namespace
}  // namespace heddle::net
