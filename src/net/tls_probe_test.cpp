#include "net/tls_probe.hpp"

#include <atomic>
#include <csignal>
#include <ctime>
#include <functional>
#include <memory>
#include <thread>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/this_coro.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include "base/free_with.hpp"
#include "net/resolver.hpp"
#include "tests/support/run_async.hpp"

namespace heddle::net {

namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
namespace asio = boost::asio;
using asio::ip::tcp;

constexpr long kDay = 86'400;

using Key = std::unique_ptr<EVP_PKEY, FreeWith<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, FreeWith<X509_free>>;
using Context = std::unique_ptr<SSL_CTX, FreeWith<SSL_CTX_free>>;
using Session = std::unique_ptr<SSL, FreeWith<SSL_free>>;

Certificate self_signed(EVP_PKEY* key, const std::string& name, long from, long to) {
  Certificate certificate(X509_new());
  X509_set_version(certificate.get(), 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 0x1A2B);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), from);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), to);
  X509_NAME* subject = X509_get_subject_name(certificate.get());
  const auto add = [&](const char* field, const std::string& text) {
    X509_NAME_add_entry_by_txt(subject, field, MBSTRING_UTF8,
                               reinterpret_cast<const unsigned char*>(text.c_str()), -1, -1, 0);
  };
  add("O", "Müller");
  add("CN", name);
  X509_set_issuer_name(certificate.get(), subject);
  X509_set_pubkey(certificate.get(), key);
  X509_sign(certificate.get(), key, EVP_sha256());
  return certificate;
}

// Accepts connections one after the other and passes each to a handler.
class Server {
 public:
  using Treatment = std::function<void(int socket)>;

  explicit Server(Treatment treat)
      : treat_(std::move(treat)), acceptor_(loop_, {asio::ip::address_v4::loopback(), 0}) {
    thread_ = std::thread([this] { serve(); });
  }
  ~Server() {
    is_ending_ = true;
    asio::io_context loop;
    tcp::socket wake(loop);
    boost::system::error_code ignored;
    wake.connect({asio::ip::address_v4::loopback(), port_}, ignored);
    thread_.join();
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] int accepted() const { return accepted_; }

 private:
  void serve() {
    sigset_t pipes;  // OpenSSL answers a client that may have disconnected
    sigemptyset(&pipes);
    sigaddset(&pipes, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipes, nullptr);
    while (true) {
      tcp::socket socket(loop_);
      acceptor_.accept(socket);
      if (is_ending_) return;
      ++accepted_;
      treat_(socket.native_handle());
    }
  }

  Treatment treat_;
  asio::io_context loop_;
  tcp::acceptor acceptor_;
  std::uint16_t port_ = acceptor_.local_endpoint().port();
  std::atomic<bool> is_ending_ = false;
  std::atomic<int> accepted_ = 0;
  std::thread thread_;
};

// A TLS server with a certificate valid from and to so many seconds from now.
class TlsServer {
 public:
  TlsServer(long from, long to) {
    certificate_ = self_signed(key_.get(), "probe.example", from, to);
    SSL_CTX_use_certificate(context_.get(), certificate_.get());
    SSL_CTX_use_PrivateKey(context_.get(), key_.get());
    SSL_CTX_set_tlsext_servername_callback(context_.get(), &TlsServer::on_name);
    SSL_CTX_set_tlsext_servername_arg(context_.get(), this);
  }

  [[nodiscard]] int port() const { return server_.port(); }
  [[nodiscard]] std::string asked_name() const {
    const std::lock_guard lock(mutex_);
    return asked_;
  }

 private:
  static int on_name(SSL* session, int*, void* self) {
    const char* name = SSL_get_servername(session, TLSEXT_NAMETYPE_host_name);
    auto* server = static_cast<TlsServer*>(self);
    const std::lock_guard lock(server->mutex_);
    server->asked_ = name != nullptr ? name : "none";
    return SSL_TLSEXT_ERR_OK;
  }
  void treat(int socket) {
    const Session session(SSL_new(context_.get()));
    SSL_set_fd(session.get(), socket);
    SSL_accept(session.get());
  }

  Key key_{EVP_EC_gen("P-256")};
  Context context_{SSL_CTX_new(TLS_server_method())};
  Certificate certificate_;
  mutable std::mutex mutex_;
  std::string asked_;
  Server server_{[this](int socket) { treat(socket); }};
};

AddressGuard allowing(const std::string& host) {
  NetworkRules rules;
  rules.allow = {host};
  return *AddressGuard::make(rules, TrafficClass::fetch);
}

class TlsProbe : public ::testing::Test {
 protected:
  Result<TlsFacts> probe(const std::string& host, int port,
                         std::chrono::milliseconds timeout = 60s) {
    TlsProbeOptions options{&guard_, &resolver_, &clock_, timeout};
    return heddle::testing::run_async(tls_probe(host, port, options));
  }
  void expect_refused(const std::string& host) {
    const auto facts = probe(host, server_->port());
    ASSERT_FALSE(facts) << host;
    EXPECT_EQ(facts.error().code, ErrorCode::bad_input) << host << facts.error().message;
    EXPECT_EQ(server_->accepted(), 0) << host;
  }

  AddressGuard guard_ = allowing("127.0.0.1");
  Resolver resolver_;
  SystemClock clock_;
  std::unique_ptr<Server> server_;
};

TEST_F(TlsProbe, ReadsASelfSignedCertificate) {
  const TlsServer server(-kDay, 10 * kDay + 60);
  const auto facts = probe("127.0.0.1", server.port());
  ASSERT_TRUE(facts) << facts.error().message;
  EXPECT_EQ(facts->subject, "CN=probe.example,O=Müller");
  EXPECT_EQ(facts->issuer, facts->subject);
  EXPECT_EQ(facts->serial, "1A2B");
  EXPECT_EQ(facts->days_left, 10);
  EXPECT_EQ(facts->not_after - facts->not_before, 11 * 24h + 60s);
  EXPECT_LT(std::chrono::abs(facts->not_before + 24h - clock_.now()), 1min);
  EXPECT_THAT(facts->fingerprint, MatchesRegex("([0-9A-F]{2}:){31}[0-9A-F]{2}"));
}

TEST_F(TlsProbe, CountsTheDaysSinceACertificateExpired) {
  const TlsServer server(-10 * kDay, -3 * kDay + 60);
  const auto facts = probe("127.0.0.1", server.port());
  ASSERT_TRUE(facts) << facts.error().message;
  EXPECT_EQ(facts->days_left, -3);
}

TEST_F(TlsProbe, AsksForTheHostByName) {
  guard_ = allowing("localhost");
  const TlsServer server(0, kDay);
  ASSERT_TRUE(probe("LOCALHOST", server.port()));
  EXPECT_EQ(server.asked_name(), "localhost");
}

TEST_F(TlsProbe, ConnectsToNoAddressTheGuardRefuses) {
  guard_ = AddressGuard();
  server_ = std::make_unique<Server>([](int) {});
  for (const char* host : {"127.0.0.1", "localhost", "127.1", "0x7f.1", "2130706433", "[::1]",
                           "::1", "::ffff:127.0.0.1", "[::ffff:7f00:1]", "0"})
    expect_refused(host);
}

TEST_F(TlsProbe, AcceptsOnlyAHost) {
  server_ = std::make_unique<Server>([](int) {});
  for (const char* host : {"", "a b", "127.0.0.1/x", "user@127.0.0.1", "127.0.0.1:80", "a#b", "a?b",
                           "http://127.0.0.1", "127.0.0.1\n", "[::1", "a\\b"})
    expect_refused(host);
  EXPECT_THAT(probe("127.0.0.1", 0).error().message, HasSubstr("not a port"));
  EXPECT_THAT(probe("127.0.0.1", 65536).error().message, HasSubstr("not a port"));
}

TEST_F(TlsProbe, TimesOutOnASilentServer) {
  std::atomic<bool> is_done = false;
  const Server server([&](int) {
    while (!is_done) std::this_thread::sleep_for(1ms);
  });
  const auto facts = probe("127.0.0.1", server.port(), 100ms);
  is_done = true;
  ASSERT_FALSE(facts);
  EXPECT_EQ(facts.error().code, ErrorCode::timeout);
  EXPECT_THAT(facts.error().message, HasSubstr("handshake in time"));
}

TEST_F(TlsProbe, SaysWhenAServerDoesNotSpeakTls) {
  const Server server([](int socket) {
    const std::string_view answer = "HTTP/1.1 400 Bad Request\r\n\r\n";
    (void)!send(socket, answer.data(), answer.size(), MSG_NOSIGNAL);
    char piece[1024];
    (void)!recv(socket, piece, sizeof piece, 0);
  });
  const auto facts = probe("127.0.0.1", server.port());
  ASSERT_FALSE(facts);
  EXPECT_THAT(facts.error().message,
              AllOf(HasSubstr("no TLS with 127.0.0.1"), HasSubstr("wrong version number")));
}

TEST_F(TlsProbe, SaysWhenAServerDisconnects) {
  const Server server([](int) {});
  const auto facts = probe("127.0.0.1", server.port());
  ASSERT_FALSE(facts);
  EXPECT_EQ(facts.error().code, ErrorCode::unavailable);
}

TEST_F(TlsProbe, SaysWhenThePortIsClosed) {
  int port = 0;
  {
    const Server server([](int) {});
    port = server.port();
  }
  const auto facts = probe("127.0.0.1", port);
  ASSERT_FALSE(facts);
  EXPECT_THAT(facts.error().message, HasSubstr("refused"));
}

TEST_F(TlsProbe, SaysWhenANameDoesNotResolve) {
  const auto facts = probe("no-such-host.invalid", 443, 5s);
  ASSERT_FALSE(facts);
  EXPECT_THAT(facts.error().message, HasSubstr("no-such-host.invalid"));
}

}  // namespace

}  // namespace heddle::net
