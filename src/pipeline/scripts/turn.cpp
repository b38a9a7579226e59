#include "pipeline/scripts/turn.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace heddle::pipeline {

namespace asio = boost::asio;

struct Turn::Waiter {
  explicit Waiter(const asio::any_io_executor& loop)
      : alarm(loop, asio::steady_timer::time_point::max()) {}
  asio::steady_timer alarm;
};

Turn::Turn() = default;
Turn::~Turn() = default;

bool Turn::take_if_free() {
  if (is_taken_) return false;
  is_taken_ = true;
  return true;
}

Async<void> Turn::take() {
  if (take_if_free()) co_return;
  const auto waiter = std::make_shared<Waiter>(co_await asio::this_coro::executor);
  waiters_.push_back(waiter);
  co_await waiter->alarm.async_wait(asio::as_tuple(asio::use_awaitable));
}

// The turn goes straight to the next one: nobody can slip in between.
void Turn::give_back() {
  if (waiters_.empty()) {
    is_taken_ = false;
    return;
  }
  const auto next = std::move(waiters_.front());
  waiters_.pop_front();
  next->alarm.cancel();
}

}  // namespace heddle::pipeline
