#include "base/doorbell.hpp"

#include <list>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace heddle {

namespace asio = boost::asio;

struct Doorbell::Waiters {
  std::list<asio::steady_timer*> alarms;
  bool rings_for_good = false;
};

namespace {

// In the list while it lives.
template <class Alarms>
class Place {
 public:
  Place(Alarms& alarms, asio::steady_timer& alarm)
      : alarms_(alarms), place_(alarms.insert(alarms.end(), &alarm)) {}
  ~Place() { alarms_.erase(place_); }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

 private:
  Alarms& alarms_;
  typename Alarms::iterator place_;
};

}  // namespace

Doorbell::Doorbell() : waiters_(std::make_shared<Waiters>()) {}

Doorbell::~Doorbell() {
  ring_for_good();
}

Async<bool> Doorbell::wait(Deadline deadline) {
  return wait_among(waiters_, deadline);
}

Async<bool> Doorbell::wait_for(std::chrono::steady_clock::duration time) {
  return wait_among(waiters_, std::chrono::steady_clock::now() + time);
}

Async<bool> Doorbell::wait_among(std::shared_ptr<Waiters> waiters, Deadline deadline) {
  if (waiters->rings_for_good) co_return false;
  asio::steady_timer alarm(co_await asio::this_coro::executor, deadline);
  const Place place(waiters->alarms, alarm);
  co_await alarm.async_wait(asio::as_tuple(asio::use_awaitable));
  co_return !waiters->rings_for_good;
}

void Doorbell::ring() {
  for (asio::steady_timer* alarm : waiters_->alarms) alarm->cancel();
}

void Doorbell::ring_for_good() {
  waiters_->rings_for_good = true;
  ring();
}

bool Doorbell::rings_for_good() const {
  return waiters_->rings_for_good;
}

}  // namespace heddle
