#include "queue/local/store_queue.hpp"

#include <algorithm>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace heddle::queue {

namespace asio = boost::asio;

// Waiters sleep on timers of their own; notify() cuts all of them short.
class StoreQueue::Signal {
 public:
  Async<void> wait_until(Deadline deadline) {
    asio::steady_timer alarm(co_await asio::this_coro::executor, deadline);
    waiting_.push_back(&alarm);
    co_await alarm.async_wait(asio::as_tuple(asio::use_awaitable));
    std::erase(waiting_, &alarm);
  }

  void notify() {
    for (asio::steady_timer* alarm : waiting_) alarm->cancel();
  }

 private:
  std::vector<asio::steady_timer*> waiting_;
};

StoreQueue::StoreQueue(store::Store& store, RunId run, const Clock& clock,
                       std::size_t leases_at_a_time)
    : store_(store),
      run_(std::move(run)),
      clock_(clock),
      leases_at_a_time_(leases_at_a_time),
      news_(std::make_unique<Signal>()) {}

StoreQueue::~StoreQueue() = default;

Async<Result<std::optional<Lease>>> StoreQueue::take() {
  while (!is_closed_) {
    if (!ready_.empty()) {
      std::optional<Lease> lease(std::move(ready_.front()));
      ready_.pop_front();
      co_return lease;
    }
    if (is_finished_) break;
    if (!should_ask()) {
      co_await wait_for_news();
      continue;
    }
    auto filled = co_await refill();
    if (!filled) co_return std::move(filled).error();
  }
  co_return std::optional<Lease>{};
}

bool StoreQueue::should_ask() const {
  if (is_refilling_) return false;
  return !asked_in_vain_ || (next_due_ && *next_due_ <= clock_.now());
}

void StoreQueue::settled() {
  asked_in_vain_ = false;  // it may have become a retry, or have been the last
  news_->notify();
}

void StoreQueue::close() {
  is_closed_ = true;
  news_->notify();
}

Async<Status> StoreQueue::refill() {
  is_refilling_ = true;
  auto batch = co_await store_.lease_tasks(run_, leases_at_a_time_, clock_.now());
  is_refilling_ = false;
  news_->notify();
  if (!batch) co_return std::move(batch).error();

  for (Lease& lease : batch->leases) ready_.push_back(std::move(lease));
  next_due_ = batch->next_due;
  asked_in_vain_ = batch->leases.empty();
  is_finished_ = batch->unfinished == 0;
  co_return Done{};
}

Async<void> StoreQueue::wait_for_news() {
  using std::chrono::milliseconds;
  Deadline deadline = Deadline::max();
  if (next_due_ && !is_refilling_) {
    const auto wait = std::max(milliseconds(1), *next_due_ - clock_.now());
    deadline = std::chrono::steady_clock::now() + wait;
  }
  co_await news_->wait_until(deadline);
}

}  // namespace heddle::queue
