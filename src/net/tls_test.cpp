// Tests against a real TLS server: nginx with a test certificate. Skipped where nginx is not
// installed.
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <spawn.h>
#include <sys/wait.h>

#include "net/fake_proxy_test.hpp"
#include "net/fetching_test.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::net {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::StartsWith;
namespace asio = boost::asio;

std::uint16_t free_port() {
  asio::io_context loop;
  const asio::ip::tcp::acceptor acceptor(loop, {asio::ip::address_v4::loopback(), 0});
  return acceptor.local_endpoint().port();
}

bool is_listening(std::uint16_t port) {
  asio::io_context loop;
  asio::ip::tcp::socket socket(loop);
  boost::system::error_code failure;
  socket.connect({asio::ip::address_v4::loopback(), port}, failure);
  return !failure;
}

class TlsServer : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::system("command -v nginx openssl >/dev/null 2>&1") != 0)
      GTEST_SKIP() << "nginx and openssl are needed for TLS tests";
    const std::string make_certificate = fmt::format(
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 "
        "-subj /CN=tls.example -addext subjectAltName=DNS:tls.example,IP:127.0.0.1 "
        "-keyout {0}/key.pem -out {0}/cert.pem 2>/dev/null",
        folder_.path().string());
    ASSERT_EQ(std::system(make_certificate.c_str()), 0);
    folder_.write("nginx.conf", configuration());
    start();
    for (int i = 0; i < 500 && !is_listening(port_); ++i) std::this_thread::sleep_for(10ms);
    ASSERT_TRUE(is_listening(port_)) << "nginx did not start";
  }

  void TearDown() override {
    if (process_ <= 0) return;
    kill(process_, SIGTERM);
    waitpid(process_, nullptr, 0);
  }

  [[nodiscard]] std::string configuration() const {
    return fmt::format(
        "daemon off; master_process off; pid {0}/pid; error_log {0}/error.log;\n"
        "events {{}}\n"
        "http {{ access_log off; client_body_temp_path {0}/t1; proxy_temp_path {0}/t2;\n"
        "  fastcgi_temp_path {0}/t3; uwsgi_temp_path {0}/t4; scgi_temp_path {0}/t5;\n"
        "  server {{ listen 127.0.0.1:{1} ssl http2; ssl_certificate {0}/cert.pem;\n"
        "    ssl_certificate_key {0}/key.pem;\n"
        "    location / {{ return 200 \"$server_protocol $connection\"; }} }} }}\n",
        folder_.path().string(), port_);
  }

  void start() {
    std::string config = (folder_.path() / "nginx.conf").string();
    std::string prefix = folder_.path().string();
    std::string log = (folder_.path() / "error.log").string();
    std::string program = "nginx", c = "-c", p = "-p", e = "-e";
    char* arguments[] = {program.data(), c.data(), config.data(), p.data(),
                         prefix.data(),  e.data(), log.data(),    nullptr};
    if (posix_spawnp(&process_, "nginx", nullptr, nullptr, arguments, environ) != 0) process_ = 0;
  }

  [[nodiscard]] std::string url(std::string_view host) const {
    return fmt::format("https://{}:{}/", host, port_);
  }

  [[nodiscard]] ClientSettings trusting() const {
    ClientSettings settings = allowing_loopback();
    settings.network.ca_file = (folder_.path() / "cert.pem").string();
    settings.names = [](std::string_view host) -> std::vector<IpAddress> {
      if (host.ends_with(".example")) return {*IpAddress::parse("127.0.0.1")};
      return {};
    };
    return settings;
  }

  heddle::testing::TemporaryFolder folder_;
  std::uint16_t port_ = free_port();
  pid_t process_ = 0;
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
  const FakeProxy proxy(port_);
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
  const FakeProxy proxy(port_);
  FetchRequest request = get(url("tls.example"));
  request.proxy = proxy.url("http");
  const auto response = expect_response(fetch(std::move(request), {}, trusting()));
  EXPECT_EQ(find_header(response.headers, "x-proxy"), nullptr);
  ASSERT_EQ(proxy.requests().size(), 1u);
  EXPECT_THAT(proxy.requests()[0], StartsWith(fmt::format("CONNECT tls.example:{} ", port_)));
}

}  // namespace
}  // namespace heddle::net
