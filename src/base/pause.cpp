#include "base/pause.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace heddle {

namespace asio = boost::asio;

Async<void> pause_for(std::chrono::milliseconds time) {
  if (time <= std::chrono::milliseconds(0)) co_return;
  asio::steady_timer timer(co_await asio::this_coro::executor, time);
  co_await timer.async_wait(asio::as_tuple(asio::use_awaitable));
}

}  // namespace heddle
