// ShopServer serves the demo's shop on loopback on its own thread.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include "base/async.hpp"
#include "base/result.hpp"

namespace heddle::app::demo {

class ShopServer {
 public:
  // Port 0: any free one. Fails when the port is in use.
  static Result<std::unique_ptr<ShopServer>> start(int port);
  ~ShopServer() { loop_.stop(); }

  [[nodiscard]] int port() const { return port_; }
  void show(std::string page);  // replaces the page; thread-safe

 private:
  using Tcp = boost::asio::ip::tcp;

  Async<void> accept(Tcp::acceptor acceptor);
  Async<void> serve(Tcp::socket socket);
  std::string respond();

  int port_ = 0;
  std::mutex mutex_;  // guards page_
  std::string page_;
  boost::asio::io_context loop_;  // owns the coroutines and their sockets
  std::jthread thread_;           // ends before the loop is destroyed
};

}  // namespace heddle::app::demo
