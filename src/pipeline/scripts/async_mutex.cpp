#include "pipeline/scripts/async_mutex.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace heddle::pipeline {

namespace asio = boost::asio;

struct AsyncMutex::Waiter {
  explicit Waiter(const asio::any_io_executor& loop)
      : alarm(loop, asio::steady_timer::time_point::max()) {}
  asio::steady_timer alarm;
};

AsyncMutex::AsyncMutex() = default;
AsyncMutex::~AsyncMutex() = default;

bool AsyncMutex::try_lock() {
  if (is_locked_) return false;
  is_locked_ = true;
  return true;
}

Async<void> AsyncMutex::lock() {
  if (try_lock()) co_return;
  const auto waiter = std::make_shared<Waiter>(co_await asio::this_coro::executor);
  waiters_.push_back(waiter);
  co_await waiter->alarm.async_wait(asio::as_tuple(asio::use_awaitable));
}

// Ownership passes directly to the next waiter, so that no other coroutine can take the lock first.
void AsyncMutex::unlock() {
  if (waiters_.empty()) {
    is_locked_ = false;
    return;
  }
  const auto next = std::move(waiters_.front());
  waiters_.pop_front();
  next->alarm.cancel();
}

}  // namespace heddle::pipeline
