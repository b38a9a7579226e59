#include "base/doorbell.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace heddle {

namespace asio = boost::asio;

struct Doorbell::Waiters {
  std::list<asio::steady_timer*> alarms;
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
  ring();
}

Async<void> Doorbell::wait(Deadline deadline) {
  const auto waiters = waiters_;
  asio::steady_timer alarm(co_await asio::this_coro::executor, deadline);
  const Place place(waiters->alarms, alarm);
  co_await alarm.async_wait(asio::as_tuple(asio::use_awaitable));
}

void Doorbell::ring() {
  for (asio::steady_timer* alarm : waiters_->alarms) alarm->cancel();
}

}  // namespace heddle
