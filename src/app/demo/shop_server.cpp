#include "app/demo/shop_server.hpp"

#include <mutex>
#include <thread>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <fmt/format.h>

#include "base/async.hpp"

namespace heddle::app::demo {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

constexpr std::size_t kLargestRequest = 16u << 10;

class LoopbackServer final : public ShopServer {
 public:
  explicit LoopbackServer(tcp::acceptor acceptor, std::unique_ptr<asio::io_context> loop)
      : loop_(std::move(loop)), acceptor_(std::move(acceptor)) {
    asio::co_spawn(*loop_, accept(), asio::detached);
    thread_ = std::thread([this] { loop_->run(); });
  }
  ~LoopbackServer() override {
    loop_->stop();
    thread_.join();
  }

  [[nodiscard]] int port() const override { return acceptor_.local_endpoint().port(); }

  void show(std::string page) override {
    const std::lock_guard guard(mutex_);
    page_ = std::move(page);
  }

 private:
  Async<void> accept() {
    while (true) {
      auto [failed, socket] = co_await acceptor_.async_accept(asio::as_tuple(asio::use_awaitable));
      if (failed) co_return;
      asio::co_spawn(*loop_, serve(std::move(socket)), asio::detached);
    }
  }

  // Keep-alive; whatever path is asked for gets the one page there is.
  Async<void> serve(tcp::socket socket) {
    std::string request;
    while (true) {
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
