#include "app/demo/shop_server.hpp"

#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <fmt/format.h>

#include "base/rethrow_bug.hpp"

namespace heddle::app::demo {

namespace asio = boost::asio;

namespace {

constexpr std::size_t kLargestRequest = 16u << 10;

}  // namespace

Result<std::unique_ptr<ShopServer>> ShopServer::start(int port) {
  auto server = std::make_unique<ShopServer>();
  Tcp::acceptor acceptor(server->loop_);
  const Tcp::endpoint where(asio::ip::address_v4::loopback(), static_cast<std::uint16_t>(port));
  boost::system::error_code failed;
  acceptor.open(where.protocol(), failed);
  if (!failed) acceptor.set_option(Tcp::acceptor::reuse_address(true), failed);
  if (!failed) acceptor.bind(where, failed);
  if (!failed) acceptor.listen(asio::socket_base::max_listen_connections, failed);
  if (failed)
    return Error{
        ErrorCode::unavailable,
        fmt::format("cannot serve the demo's shop on 127.0.0.1:{}: {}; choose another with "
                    "--port, or leave it out for any free one",
                    port, failed.message())};
  server->port_ = acceptor.local_endpoint().port();
  asio::co_spawn(server->loop_, server->accept(std::move(acceptor)), rethrow_bug);
  server->thread_ = std::jthread([&loop = server->loop_] { loop.run(); });
  return server;
}

void ShopServer::show(std::string page) {
  const std::lock_guard guard(mutex_);
  page_ = std::move(page);
}

Async<void> ShopServer::accept(Tcp::acceptor acceptor) {
  while (true) {
    auto [failed, socket] = co_await acceptor.async_accept(asio::as_tuple(asio::use_awaitable));
    if (failed) co_return;
    asio::co_spawn(loop_, serve(std::move(socket)), rethrow_bug);
  }
}

// Keep-alive; every path gets the same page.
Async<void> ShopServer::serve(Tcp::socket socket) {
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

std::string ShopServer::respond() {
  const std::lock_guard guard(mutex_);
  return fmt::format(
      "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\n\r\n{}",
      page_.size(), page_);
}

}  // namespace heddle::app::demo
