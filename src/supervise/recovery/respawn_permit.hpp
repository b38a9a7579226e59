// Permits one respawn of a slot. Shared by the slot, its runner and the copies of a control; the
// only object that a thread which outlives the supervisor uses. Any thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>

namespace heddle::supervise {

class RespawnPermit {
 public:
  // `respawn` is called at most once, on the thread that calls use(), without a lock.
  explicit RespawnPermit(std::function<void()> respawn) : respawn_(std::move(respawn)) {}

  // True for the first call, unless the permit was cancelled or released before.
  bool use();

  void release();  // the runner has returned
  void cancel();   // shutdown, or the slot must stay down: wakes wait_for()

  [[nodiscard]] bool was_used() const;
  [[nodiscard]] bool is_cancelled() const;
  bool wait_for(std::chrono::milliseconds time) const;  // false: cancelled

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable cancelled_;
  std::function<void()> respawn_;  // empty: used or released
  bool was_used_ = false;
  bool is_cancelled_ = false;
};

}  // namespace heddle::supervise
