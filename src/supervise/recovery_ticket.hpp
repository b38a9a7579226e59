// The right to respawn a slot once. Shared by the slot, its runner and whoever keeps a control; a
// thread that outlives the supervisor touches nothing else. Any thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>

namespace heddle::supervise {

class RecoveryTicket {
 public:
  // Called at most once, on the thread that redeems the ticket, without a lock held.
  explicit RecoveryTicket(std::function<void()> respawn) : respawn_(std::move(respawn)) {}

  // True for the first call, unless the ticket was cancelled or released before.
  bool redeem();

  void release();  // the runner has returned
  void cancel();   // shutdown, or the slot must stay down: wakes everybody in wait_for()

  [[nodiscard]] bool was_redeemed() const;
  [[nodiscard]] bool is_cancelled() const;
  bool wait_for(std::chrono::milliseconds time) const;  // false: cancelled

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable cancelled_;
  std::function<void()> respawn_;  // empty: spent
  bool was_redeemed_ = false;
  bool is_cancelled_ = false;
};

}  // namespace heddle::supervise
