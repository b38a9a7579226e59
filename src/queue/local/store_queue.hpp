// Queues the tasks of one run on one machine: tasks are in the store, leases are fetched in
// batches.
#pragma once

#include <deque>
#include <vector>

#include "base/time.hpp"
#include "base/wake_signal.hpp"
#include "queue/task_queue.hpp"
#include "store/page_store.hpp"

namespace heddle::queue {

// One event loop; the store and clock must outlive it. Close it and let all callers of take()
// return before destroying it.
class StoreQueue final : public TaskQueue {
 public:
  StoreQueue(store::PageStore& store, RunId run, const Clock& clock, std::size_t batch_size);
  ~StoreQueue() override;

  Async<Result<std::optional<Lease>>> take() override;
  void task_done() override;
  void close() override;

 private:
  [[nodiscard]] bool should_fetch() const;
  [[nodiscard]] bool should_prefetch() const;
  // The same instant on both clocks.
  struct Moment {
    WallTime wall = WallTime::min();
    Deadline steady{};
  };

  void record_clock();
  [[nodiscard]] WallTime fetch_time() const;
  [[nodiscard]] Deadline due_by_steady_clock(WallTime due) const;
  [[nodiscard]] Deadline next_fetch() const;
  Async<Status> refill();
  Async<void> wait_for_change();

  store::PageStore& store_;
  RunId run_;
  const Clock& clock_;
  std::size_t batch_size_;
  std::deque<Lease> ready_;
  WakeSignal wake_;                   // wakes callers of take()
  std::optional<WallTime> next_due_;  // of a waiting retry, as of the last refill
  std::optional<Deadline> due_;       // the same by the steady clock, from when it became known
  Moment last_fetch_;
  std::vector<Moment> set_back_;  // last fetches before the clock was set back, newest last
  bool is_refilling_ = false;
  bool has_more_ = false;              // the last refill returned a full batch
  bool was_last_fetch_empty_ = false;  // and nothing has happened since
  bool is_finished_ = false;           // every task of the run has its outcome
  bool is_closed_ = false;
};

}  // namespace heddle::queue
