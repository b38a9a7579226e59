#include <set>

#include <gmock/gmock.h>

#include "net/fake_proxy_test.hpp"
#include "net/fetching_test.hpp"
#include "net/proxy_rotation.hpp"
#include "net/proxy_url.hpp"
#include "tests/support/test_site.hpp"

namespace heddle::net {
namespace {

using namespace heddle::testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// Names resolve to public addresses here; only the proxy itself is on loopback.
ClientSettings behind_a_proxy() {
  ClientSettings settings;
  settings.network.allow_delivery = {"127.0.0.1"};
  settings.names = [](std::string_view host) -> std::vector<IpAddress> {
    if (host == "shop.example") return {*IpAddress::parse("93.184.216.34")};
    if (host == "inside.example")
      return {*IpAddress::parse("93.184.216.34"), *IpAddress::parse("10.0.0.1")};
    return {};
  };
  return settings;
}

FetchRequest through(std::string proxy, std::string url) {
  FetchRequest request = get(std::move(url));
  request.proxy = std::move(proxy);
  return request;
}

TEST(ProxiedClient, FetchesThroughAnHttpProxy) {
  TestSite site;
  site.handle_rest([](const SiteRequest&) { return html("ok"); });
  const FakeProxy proxy(site.port());
  const auto response = expect_response(fetch(
      through(proxy.url("http", "me:secret@"), "http://shop.example/x"), {}, behind_a_proxy()));
  EXPECT_EQ(response.body, "ok");
  EXPECT_EQ(response.proxy, proxy.url("http", "***@"));
  ASSERT_EQ(proxy.requests().size(), 1u);
  EXPECT_THAT(proxy.requests()[0], StartsWith("GET http://shop.example/x HTTP/1.1"));
  EXPECT_THAT(proxy.requests()[0], HasSubstr("Proxy-Authorization: Basic bWU6c2VjcmV0"));
}

TEST(ProxiedClient, PassesTheCheckedAddressToASocksProxy) {
  TestSite site;
  site.answer("/", html("ok"));
  const FakeProxy proxy(site.port());
  expect_response(
      fetch(through(proxy.url("socks5"), "http://shop.example/"), {}, behind_a_proxy()));
  EXPECT_THAT(proxy.requests(), ElementsAre("SOCKS5 93.184.216.34"));
}

TEST(ProxiedClient, LetsTheProxyResolveAnAllowedUnknownName) {
  TestSite site;
  site.answer("/", html("ok"));
  const FakeProxy proxy(site.port());
  ClientSettings settings = behind_a_proxy();
  settings.network.allow = {"hidden.invalid"};
  expect_response(fetch(through(proxy.url("socks5h"), "http://hidden.invalid/"), {}, settings));
  EXPECT_THAT(proxy.requests(), ElementsAre("SOCKS5 hidden.invalid"));
  const auto error = expect_error(
      fetch(through(proxy.url("socks5h"), "http://other.invalid/"), {}, behind_a_proxy()));
  EXPECT_EQ(error.kind, FetchErrorKind::dns);
  EXPECT_THAT(error.message, HasSubstr("[network] allow"));
}

TEST(ProxiedClient, RefusesTargetsWithAnyPrivateAddress) {
  TestSite site;
  const FakeProxy proxy(site.port());
  for (const char* url : {"http://inside.example/", "http://127.0.0.1/", "http://10.0.0.1/",
                          "http://[::1]/", "http://localhost/"}) {
    for (const char* scheme : {"http", "socks5"}) {
      const auto error = expect_error(fetch(through(proxy.url(scheme), url), {}, behind_a_proxy()));
      EXPECT_EQ(error.kind, FetchErrorKind::blocked) << url << error.message;
    }
  }
  EXPECT_TRUE(proxy.requests().empty());
}

TEST(ProxiedClient, RefusesAProxyThatNoListAllows) {
  TestSite site;
  const FakeProxy proxy(site.port());
  ClientSettings settings = behind_a_proxy();
  settings.network.allow_delivery = {};
  const auto error =
      expect_error(fetch(through(proxy.url("http"), "http://shop.example/"), {}, settings));
  EXPECT_EQ(error.kind, FetchErrorKind::blocked);
  EXPECT_THAT(error.message, HasSubstr("[network] allow_delivery"));
  EXPECT_TRUE(proxy.requests().empty());
}

TEST(ProxiedClient, ReportsADeadProxyAsAProxyErrorAndHidesItsPassword) {
  std::string dead;
  {
    TestSite site;
    dead = "http://me:secret@127.0.0.1:" + std::to_string(site.port());
  }
  const auto error =
      expect_error(fetch(through(dead, "http://shop.example/"), {}, behind_a_proxy()));
  EXPECT_EQ(error.kind, FetchErrorKind::proxy);
  EXPECT_TRUE(error.transient);
  EXPECT_THAT(error.message + error.proxy, Not(HasSubstr("secret")));
  EXPECT_THAT(error.proxy, HasSubstr("***@127.0.0.1"));
}

TEST(ProxiedClient, ConnectsDirectlyAgainAfterwards) {
  TestSite site;
  site.handle_rest([](const SiteRequest&) { return html("ok"); });
  const FakeProxy proxy(site.port());
  ClientSettings settings = behind_a_proxy();
  settings.network.allow = {"127.0.0.1"};
  run_async([](ClientSettings made, std::string url, std::string proxy_url) -> Async<void> {
    const auto client = *Client::make(co_await boost::asio::this_coro::executor, std::move(made));
    expect_response(co_await client->fetch(through(proxy_url, "http://shop.example/")));
    expect_response(co_await client->fetch(get(url)));
  }(settings, site.url("/direct"), proxy.url("http")));
  EXPECT_EQ(proxy.requests().size(), 1u);
  EXPECT_EQ(site.count("/direct"), 1u);
  EXPECT_EQ(site.requests("/direct").at(0).header("proxy-authorization"), "");
}

TEST(ProxyUrl, ReadsSchemesPortsAndLogins) {
  const auto proxy = ProxyUrl::parse(" socks5h://us%40er:p:w%2F@Proxy.Example:81/ ");
  ASSERT_TRUE(proxy) << proxy.error().message;
  EXPECT_EQ(proxy->kind, ProxyKind::socks5);
  EXPECT_EQ(proxy->host, "proxy.example");
  EXPECT_EQ(proxy->port, 81);
  EXPECT_EQ(proxy->user, "us@er");
  EXPECT_EQ(proxy->password, "p:w/");
  EXPECT_EQ(proxy->redacted(), "socks5://***@proxy.example:81");
  EXPECT_EQ(ProxyUrl::parse("http://h")->port, 3128);
  EXPECT_EQ(ProxyUrl::parse("http://h:80")->port, 80);
  EXPECT_EQ(ProxyUrl::parse("https://h")->port, 443);
  EXPECT_EQ(ProxyUrl::parse("socks5://[::1]")->port, 1080);
  EXPECT_EQ(ProxyUrl::parse("socks5://[::1]:9")->port, 9);
}

TEST(ProxyUrl, RefusesInvalidUrlsWithoutShowingThePassword) {
  for (const char* text : {"", "proxy:8080", "ftp://h", "socks4://h", "http://", "http://h/path",
                           "http://a b", "http://u:secret@h:99999", "http://u:secret@h?x"}) {
    const auto proxy = ProxyUrl::parse(text);
    ASSERT_FALSE(proxy) << text;
    EXPECT_THAT(proxy.error().message, Not(HasSubstr("secret")));
  }
}

ProxyRule three(ProxyRotation rotate) {
  return {.enabled = true, .rotate = rotate, .urls = {"http://a", "http://b", "http://c"}};
}

TEST(ProxyPicker, RotatesRoundRobin) {
  ProxyPicker picker = *ProxyPicker::make(three(ProxyRotation::round_robin), 1);
  std::vector<std::string> picked;
  for (int i = 0; i < 4; ++i) picked.push_back(picker.pick());
  EXPECT_THAT(picked, ElementsAre("http://a", "http://b", "http://c", "http://a"));
}

TEST(ProxyPicker, StaysWithOneUntilItFails) {
  ProxyPicker picker = *ProxyPicker::make(three(ProxyRotation::sticky), 1);
  EXPECT_EQ(picker.pick(), "http://a");
  EXPECT_EQ(picker.pick(), "http://a");
  picker.report_failure("http://a");
  picker.report_failure("http://a");  // a second request that was under way
  EXPECT_EQ(picker.pick(), "http://b");
}

TEST(ProxyPicker, DrawsAtRandomButNotTheOneThatJustFailed) {
  ProxyPicker picker = *ProxyPicker::make(three(ProxyRotation::random), 7);
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) {
    const std::string proxy = picker.pick();
    seen.insert(proxy);
    picker.report_failure(proxy);
    const std::string next = picker.pick();
    EXPECT_NE(next, proxy);
  }
  EXPECT_EQ(seen.size(), 3u);
}

TEST(ProxyPicker, PicksNoneWhenDisabled) {
  ProxyRule rule = three(ProxyRotation::random);
  rule.enabled = false;
  EXPECT_EQ(ProxyPicker::make(rule, 1)->pick(), "");
  rule.enabled = true;
  rule.urls = {"gopher://x"};
  EXPECT_FALSE(ProxyPicker::make(rule, 1));
}

}  // namespace
}  // namespace heddle::net
