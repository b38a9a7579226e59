// Tests against a real TLS server: nginx with a test certificate. Skipped where nginx is not
// installed.
#include <optional>

#include <boost/asio/this_coro.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "net/fake_proxy_test.hpp"
#include "net/fetching_test.hpp"
#include "tests/support/tls_site.hpp"

namespace heddle::net {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
namespace asio = boost::asio;

class TlsServer : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!heddle::testing::TlsSite::is_available())
      GTEST_SKIP() << "nginx and openssl are needed for TLS tests";
    site_.emplace(2, "return 200 \"$server_protocol $connection\";");
    ASSERT_TRUE(site_->is_listening()) << "nginx did not start";
  }

  [[nodiscard]] std::string url(std::string_view host) const { return site_->url(host); }

  [[nodiscard]] ClientSettings trusting() const {
    ClientSettings settings = allowing_loopback();
    settings.network.ca_file = site_->ca_file();
    settings.names = [](std::string_view host) -> std::vector<IpAddress> {
      if (host.ends_with(".example")) return {*IpAddress::parse("127.0.0.1")};
      return {};
    };
    return settings;
  }

  std::optional<heddle::testing::TlsSite> site_;
};

TEST_F(TlsServer, IsFetchedOverHttp2) {
  const auto response = expect_response(fetch(get(url("tls.example")), {}, trusting()));
  EXPECT_THAT(response.body, StartsWith("HTTP/2.0 "));
}

TEST_F(TlsServer, ServesManyRequestsOverOneConnection) {
  heddle::testing::run_async([](ClientSettings settings, std::string page) -> Async<void> {
    const auto client = *Client::make(co_await asio::this_coro::executor, std::move(settings));
    const auto first = expect_response(co_await client->fetch(get(page)));
    for (int i = 0; i < 5; ++i)
      EXPECT_EQ(expect_response(co_await client->fetch(get(page))).body, first.body);
  }(trusting(), url("tls.example")));
}

TEST_F(TlsServer, TellsWhenItsCertificateExpires) {
  heddle::testing::run_async([](ClientSettings settings, std::string page) -> Async<void> {
    const auto client = *Client::make(co_await asio::this_coro::executor, std::move(settings));
    for (const char* connection : {"new", "reused"}) {
      const auto response = expect_response(co_await client->fetch(get(page)));
      EXPECT_TRUE(response.certificate_expires_at) << connection;
      if (!response.certificate_expires_at) continue;
      const auto left = *response.certificate_expires_at - SystemClock().now();
      EXPECT_GT(left, std::chrono::hours(47)) << connection;
      EXPECT_LE(left, std::chrono::hours(48)) << connection;
    }
  }(trusting(), url("tls.example")));
}

TEST_F(TlsServer, TellsWhenItsCertificateExpiresBehindAProxy) {
  const FakeProxy proxy(site_->port());
  FetchRequest request = get(url("tls.example"));
  request.proxy = proxy.url("http");
  const auto response = expect_response(fetch(std::move(request), {}, trusting()));
  EXPECT_TRUE(response.certificate_expires_at);
}

TEST_F(TlsServer, IsNotTrustedWithoutItsAuthority) {
  const auto error = expect_error(fetch(url("127.0.0.1")));
  EXPECT_EQ(error.kind, FetchErrorKind::tls);
  EXPECT_FALSE(error.transient);
  EXPECT_THAT(error.message, HasSubstr("[network] ca_file"));
}

TEST_F(TlsServer, IsNotTrustedUnderAnotherName) {
  const auto error = expect_error(fetch(get(url("other.example")), {}, trusting()));
  EXPECT_EQ(error.kind, FetchErrorKind::tls) << error.message;
}

TEST_F(TlsServer, IsReachedThroughAConnectProxy) {
  const FakeProxy proxy(site_->port());
  FetchRequest request = get(url("tls.example"));
  request.proxy = proxy.url("http");
  const auto response = expect_response(fetch(std::move(request), {}, trusting()));
  EXPECT_EQ(find_header(response.headers, "x-proxy"), nullptr);
  ASSERT_EQ(proxy.requests().size(), 1u);
  EXPECT_THAT(proxy.requests()[0],
              StartsWith(fmt::format("CONNECT tls.example:{} ", site_->port())));
}

}  // namespace
}  // namespace heddle::net
