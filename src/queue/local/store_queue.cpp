#include "queue/local/store_queue.hpp"

#include <algorithm>

namespace heddle::queue {

namespace {

constexpr std::chrono::seconds kRefetchInterval{5};
constexpr std::size_t kRememberedSetBacks = 16;
constexpr std::size_t kPrefetchDivisor = 4;  // prefetch when a quarter of the batch is left

Deadline steady_now() {
  return std::chrono::steady_clock::now();
}

}  // namespace

StoreQueue::StoreQueue(store::PageStore& store, RunId run, const Clock& clock,
                       std::size_t batch_size)
    : store_(store), run_(std::move(run)), clock_(clock), batch_size_(batch_size) {}

StoreQueue::~StoreQueue() = default;

Async<Result<std::optional<Lease>>> StoreQueue::take() {
  while (!is_closed_) {
    if (!ready_.empty() && !should_prefetch()) {
      std::optional<Lease> lease(std::move(ready_.front()));
      ready_.pop_front();
      co_return lease;
    }
    if (is_finished_) break;
    if (ready_.empty() && !should_fetch()) {
      co_await wait_for_change();
      continue;
    }
    auto filled = co_await refill();
    if (!filled) co_return std::move(filled).error();
  }
  co_return std::optional<Lease>{};
}

// One caller fetches the next batch while the others work through the rest of this one.
bool StoreQueue::should_prefetch() const {
  return !is_refilling_ && has_more_ && ready_.size() <= batch_size_ / kPrefetchDivisor;
}

bool StoreQueue::should_fetch() const {
  if (is_refilling_) return false;
  return !was_last_fetch_empty_ || next_fetch() <= steady_now();
}

// Refetches regularly while a retry waits: a clock that was set forward makes it due sooner.
Deadline StoreQueue::next_fetch() const {
  return due_ ? std::min(*due_, last_fetch_.steady + kRefetchInterval) : Deadline::max();
}

// A retry is due when its wait has passed, whatever the wall clock has been set to since.
WallTime StoreQueue::fetch_time() const {
  const WallTime now = clock_.now();
  return due_ && *due_ <= steady_now() ? std::max(now, *next_due_) : now;
}

// A retry that waited when the clock was set back is due later than the clock had shown until then:
// it is compared with what the clock would show now. A later retry is due earlier than that.
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

void StoreQueue::record_clock() {
  const Moment now{clock_.now(), steady_now()};
  if (now.wall < last_fetch_.wall) set_back_.push_back(last_fetch_);
  if (set_back_.size() > kRememberedSetBacks) set_back_.erase(set_back_.begin());
  last_fetch_ = now;
}

void StoreQueue::task_done() {
  was_last_fetch_empty_ = false;  // the task may have become a retry, or have been the last
  wake_.notify();
}

void StoreQueue::close() {
  is_closed_ = true;
  wake_.notify();
}

Async<Status> StoreQueue::refill() {
  is_refilling_ = true;
  record_clock();
  auto batch = co_await store_.lease_tasks(run_, batch_size_, fetch_time());
  is_refilling_ = false;
  wake_.notify();
  if (!batch) co_return std::move(batch).error();

  has_more_ = batch->leases.size() == batch_size_;
  for (Lease& lease : batch->leases) ready_.push_back(std::move(lease));
  if (batch->next_due != next_due_) {
    next_due_ = batch->next_due;
    due_.reset();
    if (next_due_) due_ = due_by_steady_clock(*next_due_);
  }
  was_last_fetch_empty_ = batch->leases.empty();
  is_finished_ = batch->unfinished == 0;
  co_return Done{};
}

Async<void> StoreQueue::wait_for_change() {
  const Deadline deadline = is_refilling_ ? Deadline::max() : next_fetch();
  co_await wake_.wait(deadline);
}

}  // namespace heddle::queue
