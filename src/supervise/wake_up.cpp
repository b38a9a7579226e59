#include "supervise/wake_up.hpp"

#include <set>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace heddle::supervise {

namespace asio = boost::asio;

struct WakeUp::State {
  bool has_rung = false;
  std::set<asio::steady_timer*> sleeping;
};

WakeUp::WakeUp() : state_(std::make_shared<State>()) {}

WakeUp::~WakeUp() {
  ring();
}

Async<bool> WakeUp::sleep(std::chrono::steady_clock::duration time) {
  return sleep_on(state_, time);
}

Async<bool> WakeUp::sleep_on(std::shared_ptr<State> state,
                             std::chrono::steady_clock::duration time) {
  if (state->has_rung) co_return false;
  asio::steady_timer timer(co_await asio::this_coro::executor, time);
  state->sleeping.insert(&timer);
  // Also when the coroutine is destroyed in its sleep.
  const auto forget = [state, &timer](void*) { state->sleeping.erase(&timer); };
  const std::unique_ptr<void, decltype(forget)> leaving(&timer, forget);
  co_await timer.async_wait(asio::as_tuple(asio::use_awaitable));
  co_return !state->has_rung;
}

void WakeUp::ring() {
  state_->has_rung = true;
  for (asio::steady_timer* timer : state_->sleeping) timer->cancel();
}

bool WakeUp::has_rung() const {
  return state_->has_rung;
}

}  // namespace heddle::supervise
