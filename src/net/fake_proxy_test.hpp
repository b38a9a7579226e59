// A tiny HTTP, CONNECT and SOCKS5 proxy for tests. Connects every request to one given port on
// 127.0.0.1 and records the requests.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include "base/async.hpp"

namespace heddle::net {

class FakeProxy {
 public:
  explicit FakeProxy(std::uint16_t target_port)
      : target_port_(target_port), acceptor_(loop_, {boost::asio::ip::address_v4::loopback(), 0}) {
    boost::asio::co_spawn(loop_, accept(), boost::asio::detached);
    thread_ = std::thread([this] { loop_.run(); });
  }
  ~FakeProxy() {
    loop_.stop();
    thread_.join();
  }
  FakeProxy(const FakeProxy&) = delete;
  FakeProxy& operator=(const FakeProxy&) = delete;

  [[nodiscard]] std::string url(std::string_view scheme, std::string_view login = "") const {
    return std::string(scheme) + "://" + std::string(login) +
           "127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port());
  }
  // "GET http://…", "CONNECT host:port" with headers, or "SOCKS5 name|address".
  [[nodiscard]] std::vector<std::string> requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

 private:
  using Socket = boost::asio::ip::tcp::socket;
  static constexpr auto kQuietly = boost::asio::as_tuple(boost::asio::use_awaitable);

  Async<void> accept() {
    while (true) {
      auto [failure, socket] = co_await acceptor_.async_accept(kQuietly);
      if (failure) co_return;
      boost::asio::co_spawn(loop_, serve(std::move(socket)), boost::asio::detached);
    }
  }

  Async<void> serve(Socket client) {
    Socket server(loop_);
    const boost::asio::ip::tcp::endpoint target(boost::asio::ip::address_v4::loopback(),
                                                target_port_);
    co_await server.async_connect(target, kQuietly);
    char first = 0;
    co_await client.async_receive(boost::asio::buffer(&first, 1), Socket::message_peek, kQuietly);
    if (first == 5)
      co_await greet_socks(client);
    else
      co_await greet_http(client, server);
    using namespace boost::asio::experimental::awaitable_operators;
    co_await (pump(client, server) && pump(server, client));
  }

  Async<void> greet_http(Socket& client, Socket& server) {
    std::string head;
    co_await boost::asio::async_read_until(client, boost::asio::dynamic_buffer(head), "\r\n\r\n",
                                           kQuietly);
    remember(head);
    if (head.starts_with("CONNECT ")) {
      const std::string answer = "HTTP/1.1 200 Connected\r\nX-Proxy: yes\r\n\r\n";
      co_await boost::asio::async_write(client, boost::asio::buffer(answer), kQuietly);
    } else {
      co_await boost::asio::async_write(server, boost::asio::buffer(head), kQuietly);
    }
  }

  Async<void> greet_socks(Socket& client) {
    const std::string hello = co_await read(client, 2);
    co_await read(client, static_cast<unsigned char>(hello[1]));
    co_await send(client, std::string("\x05\x00", 2));
    const std::string request = co_await read(client, 4);
    if (request[3] == 3) {
      const std::string size = co_await read(client, 1);
      const std::string name = co_await read(client, static_cast<unsigned char>(size[0]));
      remember("SOCKS5 " + name);
    } else {
      const std::string bytes = co_await read(client, 4);
      std::string text = "SOCKS5";
      for (const char byte : bytes) {
        text += text.size() == 6 ? ' ' : '.';
        text += std::to_string(static_cast<unsigned char>(byte));
      }
      remember(text);
    }
    co_await read(client, 2);
    co_await send(client, std::string("\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00", 10));
  }

  static Async<std::string> read(Socket& socket, std::size_t size) {
    std::string bytes(size, '\0');
    co_await boost::asio::async_read(socket, boost::asio::buffer(bytes), kQuietly);
    co_return bytes;
  }
  static Async<void> send(Socket& socket, std::string bytes) {
    co_await boost::asio::async_write(socket, boost::asio::buffer(bytes), kQuietly);
  }

  static Async<void> pump(Socket& from, Socket& to) {
    std::string buffer(64 * 1024, '\0');
    while (true) {
      auto [failure, size] = co_await from.async_read_some(boost::asio::buffer(buffer), kQuietly);
      if (failure) break;
      co_await boost::asio::async_write(to, boost::asio::buffer(buffer, size), kQuietly);
    }
    boost::system::error_code ignored;
    to.shutdown(Socket::shutdown_send, ignored);
  }

  void remember(std::string what) {
    const std::lock_guard lock(mutex_);
    requests_.push_back(std::move(what));
  }

  std::uint16_t target_port_;
  mutable std::mutex mutex_;
  std::vector<std::string> requests_;
  boost::asio::io_context loop_;
  boost::asio::ip::tcp::acceptor acceptor_;
  std::thread thread_;
};

}  // namespace heddle::net
