#include "net/tls_probe.hpp"

#include <array>
#include <ctime>
#include <memory>
#include <optional>
#include <vector>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/system/system_error.hpp>
#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include "base/free_with.hpp"
#include "model/web/url.hpp"
#include "net/certificate.hpp"
#include "net/resolver.hpp"

namespace heddle::net {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

constexpr auto kQuietly = asio::as_tuple(asio::use_awaitable);

using SslContext = std::unique_ptr<SSL_CTX, FreeWith<SSL_CTX_free>>;
using Ssl = std::unique_ptr<SSL, FreeWith<SSL_free>>;

// Shared by the coroutine and its timer.
struct ProbeConnection {
  ProbeConnection(const asio::any_io_executor& loop, Deadline deadline)
      : socket(loop), alarm(loop, deadline), end(deadline) {}

  tcp::socket socket;
  asio::steady_timer alarm;
  Deadline end;
  bool is_too_late = false;
};

// Closes the socket at the deadline, which wakes a pending operation.
void set_alarm(const std::shared_ptr<ProbeConnection>& connection) {
  connection->alarm.async_wait([connection](const boost::system::error_code& cancelled) {
    if (cancelled) return;
    connection->is_too_late = true;
    boost::system::error_code ignored;
    connection->socket.close(ignored);
  });
}

class TimerCancel {
 public:
  explicit TimerCancel(std::shared_ptr<ProbeConnection> connection)
      : connection_(std::move(connection)) {}
  ~TimerCancel() { connection_->alarm.cancel(); }
  TimerCancel(const TimerCancel&) = delete;
  TimerCancel& operator=(const TimerCancel&) = delete;

 private:
  std::shared_ptr<ProbeConnection> connection_;
};

Error too_late(const Url& url, std::string_view doing) {
  return {ErrorCode::timeout, fmt::format("{}:{} {} in time", url.host(), url.port(), doing)};
}

// Uses the same parser as every other URL, so that all spellings of a host are equal.
Result<Url> read_target(const std::string& host, int port) {
  const Error bad{ErrorCode::bad_input,
                  fmt::format("\"{}\" is not a host name or address", host.substr(0, 255))};
  if (port < 1 || port > 65535)
    return Error{ErrorCode::bad_input, fmt::format("{} is not a port (1 to 65535)", port)};
  const bool is_v6 = host.find(':') != std::string::npos && !host.starts_with('[');
  const auto end = is_v6 ? std::string::npos : host.find_first_of("/\\?#@: \t\r\n", 0);
  const bool is_bracketed = host.starts_with('[') && host.ends_with(']');
  if (host.empty() || (end != std::string::npos && !is_bracketed)) return bad;
  auto url = Url::parse(fmt::format("https://{}:{}/", is_v6 ? "[" + host + "]" : host, port));
  if (!url || url->path_and_query() != "/" || url->port() != port) return bad;
  return url;
}

Async<Result<std::vector<IpAddress>>> find_addresses(const Url& url, TlsProbeOptions options,
                                                     Deadline deadline) {
  const std::string host(url.host());
  if (const auto reason = options.guard->refusal_before_connecting(host))
    co_return Error{ErrorCode::bad_input, fmt::format("{}: {}", host, *reason)};
  auto addresses = co_await options.resolver->resolve(host, deadline);
  if (!addresses) co_return addresses;
  for (const IpAddress& address : *addresses)
    if (const auto reason = options.guard->refusal(host, address))
      co_return Error{ErrorCode::bad_input, fmt::format("{}: {}", host, *reason)};
  co_return addresses;
}

tcp::endpoint endpoint_of(const IpAddress& address, std::uint16_t port) {
  if (address.is_v4()) return {asio::ip::address_v4(address.v4_value()), port};
  return {asio::ip::address_v6(address.bytes()), port};
}

// Tries one address after the other.
Async<Status> connect(ProbeConnection& connection, const Url& url,
                      const std::vector<IpAddress>& addresses) {
  std::string reason = "has no address";
  for (const IpAddress& address : addresses) {
    const tcp::endpoint endpoint = endpoint_of(address, url.port());
    const auto [failure] = co_await connection.socket.async_connect(endpoint, kQuietly);
    if (connection.is_too_late) co_return too_late(url, "did not answer");
    if (!failure) co_return Done{};
    if (failure == asio::error::operation_aborted) throw boost::system::system_error(failure);
    reason = failure.message();
    boost::system::error_code ignored;
    connection.socket.close(ignored);
  }
  co_return Error{ErrorCode::unavailable, fmt::format("{}:{}: {}", url.host(), url.port(), reason)};
}

// Accepts everything the server offers: old versions, weak keys and untrusted certificates are to
// be reported. Nothing is sent after the handshake.
Ssl make_session(const Url& url) {
  const SslContext context(SSL_CTX_new(TLS_client_method()));
  if (!context) return nullptr;
  SSL_CTX_set_verify(context.get(), SSL_VERIFY_NONE, nullptr);
  SSL_CTX_set_security_level(context.get(), 0);
  SSL_CTX_set_min_proto_version(context.get(), TLS1_VERSION);
  Ssl session(SSL_new(context.get()));
  if (!session) return nullptr;
  const std::string host(url.host());
  if (!literal_address(host)) SSL_set_tlsext_host_name(session.get(), host.c_str());
  // Memory buffers instead of the socket: OpenSSL would raise SIGPIPE when writing to it.
  SSL_set_bio(session.get(), BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
  SSL_set_connect_state(session.get());
  return session;
}

std::string tls_reason() {
  const unsigned long code = ERR_peek_last_error();
  const char* text = code != 0 ? ERR_reason_error_string(code) : nullptr;
  ERR_clear_error();
  return text != nullptr ? text : "the handshake failed";
}

Async<boost::system::error_code> send_pending(ProbeConnection& connection, SSL* session) {
  std::array<char, 4096> piece{};
  while (true) {
    const int size = BIO_read(SSL_get_wbio(session), piece.data(), piece.size());
    if (size <= 0) co_return boost::system::error_code();
    const auto bytes = asio::buffer(piece.data(), static_cast<std::size_t>(size));
    const auto [failure, written] = co_await asio::async_write(connection.socket, bytes, kQuietly);
    if (failure) co_return failure;
  }
}

Async<boost::system::error_code> receive(ProbeConnection& connection, SSL* session) {
  std::array<char, 8192> piece{};
  const auto room = asio::buffer(piece);
  const auto [failure, size] = co_await connection.socket.async_read_some(room, kQuietly);
  if (!failure) BIO_write(SSL_get_rbio(session), piece.data(), static_cast<int>(size));
  co_return failure;
}

Async<Status> run_handshake(ProbeConnection& connection, const Url& url, SSL* session) {
  const auto failed = [&url](std::string_view why) {
    return Error{ErrorCode::unavailable,
                 fmt::format("no TLS with {}:{}: {}", url.host(), url.port(), why)};
  };
  while (true) {
    ERR_clear_error();
    const int done = SSL_do_handshake(session);
    const int ssl_error = SSL_get_error(session, done);
    if (done != 1 && ssl_error != SSL_ERROR_WANT_READ) co_return failed(tls_reason());
    auto failure = co_await send_pending(connection, session);
    if (done == 1) co_return Done{};
    if (!failure) failure = co_await receive(connection, session);
    if (connection.is_too_late) co_return too_late(url, "did not finish the TLS handshake");
    if (failure == asio::error::operation_aborted) throw boost::system::system_error(failure);
    if (failure) co_return failed(failure.message());
  }
}

}  // namespace

Async<Result<TlsFacts>> tls_probe(std::string host, int port, TlsProbeOptions options) {
  auto url = read_target(host, port);
  if (!url) co_return std::move(url).error();
  const auto loop = co_await asio::this_coro::executor;
  const auto connection =
      std::make_shared<ProbeConnection>(loop, std::chrono::steady_clock::now() + options.timeout);
  auto addresses = co_await find_addresses(*url, options, connection->end);
  if (!addresses) co_return std::move(addresses).error();
  set_alarm(connection);
  const TimerCancel off(connection);
  auto connected = co_await connect(*connection, *url, *addresses);
  if (!connected) co_return std::move(connected).error();
  const Ssl session = make_session(*url);
  if (!session) co_return Error{ErrorCode::unavailable, tls_reason()};
  auto handshake = co_await run_handshake(*connection, *url, session.get());
  if (!handshake) co_return std::move(handshake).error();
  co_return read_certificate(SSL_get0_peer_certificate(session.get()), options.clock->now());
}

}  // namespace heddle::net
