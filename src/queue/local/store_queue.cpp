#include "queue/local/store_queue.hpp"

#include <algorithm>

namespace heddle::queue {

namespace {

constexpr std::chrono::seconds kAskAgain{5};
constexpr std::size_t kRememberedSetBacks = 16;
constexpr std::size_t kHandfulLeft = 4;  // a fourth

Deadline steady_now() {
  return std::chrono::steady_clock::now();
}

}  // namespace

StoreQueue::StoreQueue(store::PageStore& store, RunId run, const Clock& clock,
                       std::size_t leases_at_a_time)
    : store_(store), run_(std::move(run)), clock_(clock), leases_at_a_time_(leases_at_a_time) {}

StoreQueue::~StoreQueue() = default;

Async<Result<std::optional<Lease>>> StoreQueue::take() {
  while (!is_closed_) {
    if (!ready_.empty() && !should_ask_early()) {
      std::optional<Lease> lease(std::move(ready_.front()));
      ready_.pop_front();
      co_return lease;
    }
    if (is_finished_) break;
    if (ready_.empty() && !should_ask()) {
      co_await wait_for_news();
      continue;
    }
    auto filled = co_await refill();
    if (!filled) co_return std::move(filled).error();
  }
  co_return std::optional<Lease>{};
}

// One taker fetches the next handful while the others work through the rest of this one.
bool StoreQueue::should_ask_early() const {
  return !is_refilling_ && has_more_ && ready_.size() <= leases_at_a_time_ / kHandfulLeft;
}

bool StoreQueue::should_ask() const {
  if (is_refilling_) return false;
  return !asked_in_vain_ || next_ask() <= steady_now();
}

// Asked again now and then while a retry waits: a clock that was set forward makes it due sooner.
Deadline StoreQueue::next_ask() const {
  return due_ ? std::min(*due_, asked_.steady + kAskAgain) : Deadline::max();
}

// A retry whose wait has passed is due, whatever the clock has been set to since.
WallTime StoreQueue::time_to_ask_with() const {
  const WallTime now = clock_.now();
  return due_ && *due_ <= steady_now() ? std::max(now, *next_due_) : now;
}

// A retry that waited when the clock was set back is due later than the clock had shown until then:
// it goes by what the clock would show now. One that came since is due earlier than that.
Deadline StoreQueue::due_by_steady_clock(WallTime due) const {
  using std::chrono::milliseconds;
  const Deadline steady = steady_now();
  WallTime now = clock_.now();
  for (const Moment& before : set_back_)
    if (due > before.wall)
      now = std::max(
          now, before.wall + std::chrono::duration_cast<milliseconds>(steady - before.steady));
  return steady + std::max(milliseconds(1), due - now);
}

void StoreQueue::look_at_clock() {
  const Moment now{clock_.now(), steady_now()};
  if (now.wall < asked_.wall) set_back_.push_back(asked_);
  if (set_back_.size() > kRememberedSetBacks) set_back_.erase(set_back_.begin());
  asked_ = now;
}

void StoreQueue::settled() {
  asked_in_vain_ = false;  // it may have become a retry, or have been the last
  news_.ring();
}

void StoreQueue::close() {
  is_closed_ = true;
  news_.ring();
}

Async<Status> StoreQueue::refill() {
  is_refilling_ = true;
  look_at_clock();
  auto batch = co_await store_.lease_tasks(run_, leases_at_a_time_, time_to_ask_with());
  is_refilling_ = false;
  news_.ring();
  if (!batch) co_return std::move(batch).error();

  has_more_ = batch->leases.size() == leases_at_a_time_;
  for (Lease& lease : batch->leases) ready_.push_back(std::move(lease));
  if (batch->next_due != next_due_) {
    next_due_ = batch->next_due;
    due_.reset();
    if (next_due_) due_ = due_by_steady_clock(*next_due_);
  }
  asked_in_vain_ = batch->leases.empty();
  is_finished_ = batch->unfinished == 0;
  co_return Done{};
}

Async<void> StoreQueue::wait_for_news() {
  const Deadline deadline = is_refilling_ ? Deadline::max() : next_ask();
  co_await news_.wait(deadline);
}

}  // namespace heddle::queue
