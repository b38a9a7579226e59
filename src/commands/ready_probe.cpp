#include "commands/ready_probe.hpp"

#include <array>
#include <charconv>
#include <string_view>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <fmt/format.h>

namespace heddle::commands {

namespace {

namespace asio = boost::asio;
using asio::as_tuple;
using asio::use_awaitable;

constexpr int kFirstBadStatus = 400;

struct Target {
  asio::ip::tcp::endpoint endpoint;
  std::string authority;
  std::string path;  // empty: connect only
};

// The configuration has validated the address; an invalid one is never ready.
std::optional<Target> parse(std::string_view address) {
  const bool is_http = address.starts_with("http://");
  address.remove_prefix(std::min(address.find("//") + 2, address.size()));
  const std::size_t slash = std::min(address.find('/'), address.size());
  Target target;
  target.authority = address.substr(0, slash);
  if (is_http) target.path = slash == address.size() ? "/" : address.substr(slash);
  const std::size_t colon = target.authority.rfind(':');
  if (colon == std::string::npos) return std::nullopt;
  std::string host = target.authority.substr(0, colon);
  if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
  if (host == "localhost") host = "127.0.0.1";
  unsigned short port = 0;
  const char* end = target.authority.data() + target.authority.size();
  if (std::from_chars(target.authority.data() + colon + 1, end, port).ptr != end)
    return std::nullopt;
  boost::system::error_code failed;
  const auto ip = asio::ip::make_address(host, failed);
  if (failed) return std::nullopt;
  target.endpoint = {ip, port};
  return target;
}

// "HTTP/1.1 200 OK"
bool is_good_answer(std::string_view head) {
  const std::size_t space = head.find(' ');
  if (!head.starts_with("HTTP/") || space == std::string_view::npos) return false;
  int status = 0;
  std::from_chars(head.data() + space + 1, head.data() + head.size(), status);
  return status > 0 && status < kFirstBadStatus;
}

Async<bool> send_probe(Target target) {
  asio::ip::tcp::socket socket(co_await asio::this_coro::executor);
  const auto [refused] = co_await socket.async_connect(target.endpoint, as_tuple(use_awaitable));
  if (refused || target.path.empty()) co_return !refused;
  const std::string request =
      fmt::format("GET {} HTTP/1.0\r\nHost: {}\r\n\r\n", target.path, target.authority);
  const auto [not_sent, sent] =
      co_await asio::async_write(socket, asio::buffer(request), as_tuple(use_awaitable));
  if (not_sent) co_return false;
  std::array<char, 64> head{};
  const auto [not_read, size] =
      co_await socket.async_read_some(asio::buffer(head), as_tuple(use_awaitable));
  co_return !not_read && is_good_answer({head.data(), size});
}

}  // namespace

Async<bool> probe_address(std::string address, std::chrono::milliseconds timeout) {
  using namespace asio::experimental::awaitable_operators;
  auto target = parse(address);
  if (!target) co_return false;
  asio::steady_timer alarm(co_await asio::this_coro::executor, timeout);
  auto asked = send_probe(std::move(*target));
  const auto first = co_await (std::move(asked) || alarm.async_wait(as_tuple(use_awaitable)));
  co_return first.index() == 0 && std::get<0>(first);
}

}  // namespace heddle::commands
