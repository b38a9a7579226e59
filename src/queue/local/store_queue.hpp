// The queue of one machine: tasks live in the store, leases are fetched a handful at a time.
#pragma once

#include <deque>
#include <vector>

#include "base/doorbell.hpp"
#include "base/time.hpp"
#include "queue/task_queue.hpp"
#include "store/page_store.hpp"

namespace heddle::queue {

// One event loop; the store and clock must outlive it. Close it and let all takers return before
// it is destroyed.
class StoreQueue final : public TaskQueue {
 public:
  StoreQueue(store::PageStore& store, RunId run, const Clock& clock, std::size_t leases_at_a_time);
  ~StoreQueue() override;

  Async<Result<std::optional<Lease>>> take() override;
  void settled() override;
  void close() override;

 private:
  [[nodiscard]] bool should_ask() const;
  [[nodiscard]] bool should_ask_early() const;
  // One moment by both clocks.
  struct Moment {
    WallTime wall = WallTime::min();
    Deadline steady{};
  };

  void look_at_clock();
  [[nodiscard]] WallTime time_to_ask_with() const;
  [[nodiscard]] Deadline due_by_steady_clock(WallTime due) const;
  [[nodiscard]] Deadline next_ask() const;
  Async<Status> refill();
  Async<void> wait_for_news();

  store::PageStore& store_;
  RunId run_;
  const Clock& clock_;
  std::size_t leases_at_a_time_;
  std::deque<Lease> ready_;
  Doorbell news_;                     // wakes waiting takers
  std::optional<WallTime> next_due_;  // of a waiting retry, as of the last refill
  std::optional<Deadline> due_;       // the same by the steady clock, from when it was learnt
  Moment asked_;                      // when the store was asked last
  std::vector<Moment> set_back_;      // the last ones before the clock was set back, newest last
  bool is_refilling_ = false;
  bool has_more_ = false;       // as of the last refill: it brought all that was asked for
  bool asked_in_vain_ = false;  // the last refill brought nothing and nothing has happened since
  bool is_finished_ = false;    // every task of the run has its outcome
  bool is_closed_ = false;
};

}  // namespace heddle::queue
