#include "app/demo/shop_server.hpp"

#include <mutex>
#include <set>
#include <thread>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <fmt/format.h>

#include "base/async.hpp"
#include "base/rethrow_bug.hpp"

namespace heddle::app::demo {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

constexpr std::size_t kLargestRequest = 16u << 10;

// Everything except show() and the destructor runs on the thread. The thread ends after the last
// coroutine, so none outlives what it uses; the destructor ends them by closing their sockets.
class LoopbackServer final : public ShopServer {
 public:
  explicit LoopbackServer(tcp::acceptor acceptor, std::unique_ptr<asio::io_context> loop)
      : loop_(std::move(loop)),
        acceptor_(std::move(acceptor)),
        port_(acceptor_.local_endpoint().port()) {
    asio::co_spawn(*loop_, accept(), rethrow_bug);
    thread_ = std::thread([this] { loop_->run(); });
  }
  ~LoopbackServer() override {
    asio::post(*loop_, [this] { close(); });
    thread_.join();
  }
  LoopbackServer(const LoopbackServer&) = delete;
  LoopbackServer& operator=(const LoopbackServer&) = delete;

  [[nodiscard]] int port() const override { return port_; }

  void show(std::string page) override {
    const std::lock_guard guard(mutex_);
    page_ = std::move(page);
  }

 private:
  // Registers a socket for close() while it is served.
  class Listed {
   public:
    Listed(std::set<tcp::socket*>& all, tcp::socket& socket) : all_(all), socket_(socket) {
      all_.insert(&socket_);
    }
    ~Listed() { all_.erase(&socket_); }
    Listed(const Listed&) = delete;
    Listed& operator=(const Listed&) = delete;

   private:
    std::set<tcp::socket*>& all_;
    tcp::socket& socket_;
  };

  void close() {
    boost::system::error_code ignored;
    acceptor_.close(ignored);
    for (tcp::socket* socket : connections_) socket->close(ignored);
  }

  Async<void> accept() {
    while (acceptor_.is_open()) {
      auto [failed, socket] = co_await acceptor_.async_accept(asio::as_tuple(asio::use_awaitable));
      if (failed || !acceptor_.is_open()) co_return;
      asio::co_spawn(*loop_, serve(std::move(socket)), rethrow_bug);
    }
  }

  // Keep-alive; every path gets the same page.
  Async<void> serve(tcp::socket socket) {
    const Listed listed(connections_, socket);
    std::string request;
    while (acceptor_.is_open()) {
      auto [failed, size] =
          co_await asio::async_read_until(socket, asio::dynamic_buffer(request, kLargestRequest),
                                          "\r\n\r\n", asio::as_tuple(asio::use_awaitable));
      if (failed) co_return;
      request.erase(0, size);
      const std::string answer = respond();
      auto [broken, sent] = co_await asio::async_write(socket, asio::buffer(answer),
                                                       asio::as_tuple(asio::use_awaitable));
      if (broken || sent != answer.size()) co_return;
    }
  }

  std::string respond() {
    const std::lock_guard guard(mutex_);
    return fmt::format(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\n\r\n{}",
        page_.size(), page_);
  }

  std::unique_ptr<asio::io_context> loop_;
  tcp::acceptor acceptor_;
  const int port_;
  std::set<tcp::socket*> connections_;
  std::mutex mutex_;  // guards page_
  std::string page_;
  std::thread thread_;
};

}  // namespace

Result<std::unique_ptr<ShopServer>> ShopServer::start(int port) {
  auto loop = std::make_unique<asio::io_context>();
  tcp::acceptor acceptor(*loop);
  const tcp::endpoint where(asio::ip::address_v4::loopback(), static_cast<std::uint16_t>(port));
  boost::system::error_code failed;
  acceptor.open(where.protocol(), failed);
  if (!failed) acceptor.set_option(tcp::acceptor::reuse_address(true), failed);
  if (!failed) acceptor.bind(where, failed);
  if (!failed) acceptor.listen(asio::socket_base::max_listen_connections, failed);
  if (failed)
    return Error{
        ErrorCode::unavailable,
        fmt::format("cannot serve the demo's shop on 127.0.0.1:{}: {}; choose another with "
                    "--port, or leave it out for any free one",
                    port, failed.message())};
  return std::unique_ptr<ShopServer>(
      std::make_unique<LoopbackServer>(std::move(acceptor), std::move(loop)));
}

}  // namespace heddle::app::demo
