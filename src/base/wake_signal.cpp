#include "base/wake_signal.hpp"

#include <list>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace heddle {

namespace asio = boost::asio;

struct WakeSignal::Waiters {
  std::list<asio::steady_timer*> alarms;
  bool is_closed = false;
};

namespace {

// Keeps the timer in the list until destroyed.
template <class Alarms>
class WaiterEntry {
 public:
  WaiterEntry(Alarms& alarms, asio::steady_timer& alarm)
      : alarms_(alarms), position_(alarms.insert(alarms.end(), &alarm)) {}
  ~WaiterEntry() { alarms_.erase(position_); }
  WaiterEntry(const WaiterEntry&) = delete;
  WaiterEntry& operator=(const WaiterEntry&) = delete;

 private:
  Alarms& alarms_;
  typename Alarms::iterator position_;
};

}  // namespace

WakeSignal::WakeSignal() : waiters_(std::make_shared<Waiters>()) {}

WakeSignal::~WakeSignal() {
  close();
}

Async<bool> WakeSignal::wait(Deadline deadline) {
  return wait_among(waiters_, deadline);
}

Async<bool> WakeSignal::wait_for(std::chrono::steady_clock::duration time) {
  return wait_among(waiters_, std::chrono::steady_clock::now() + time);
}

Async<bool> WakeSignal::wait_among(std::shared_ptr<Waiters> waiters, Deadline deadline) {
  if (waiters->is_closed) co_return false;
  asio::steady_timer alarm(co_await asio::this_coro::executor, deadline);
  const WaiterEntry entry(waiters->alarms, alarm);
  co_await alarm.async_wait(asio::as_tuple(asio::use_awaitable));
  co_return !waiters->is_closed;
}

void WakeSignal::notify() {
  for (asio::steady_timer* alarm : waiters_->alarms) alarm->cancel();
}

void WakeSignal::close() {
  waiters_->is_closed = true;
  notify();
}

bool WakeSignal::is_closed() const {
  return waiters_->is_closed;
}

}  // namespace heddle
