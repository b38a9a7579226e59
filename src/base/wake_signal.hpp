// Wakes coroutines that wait for a change; each checks its own condition after waking. One event
// loop; waiting coroutines may outlive the signal.
#pragma once

#include <chrono>
#include <memory>

#include "base/async.hpp"
#include "base/time.hpp"

namespace heddle {

class WakeSignal {
 public:
  WakeSignal();
  ~WakeSignal();  // closes the signal
  WakeSignal(const WakeSignal&) = delete;
  WakeSignal& operator=(const WakeSignal&) = delete;

  // Waits for notify() or the deadline. False: the signal is closed.
  Async<bool> wait(Deadline deadline = Deadline::max());
  Async<bool> wait_for(std::chrono::steady_clock::duration time);

  // Wakes the coroutines that wait now.
  void notify();

  // Wakes the coroutines that wait now; later calls of wait() return false immediately.
  void close();
  [[nodiscard]] bool is_closed() const;

 private:
  struct Waiters;
  static Async<bool> wait_among(std::shared_ptr<Waiters> waiters, Deadline deadline);
  std::shared_ptr<Waiters> waiters_;  // shared with the waiting coroutines
};

}  // namespace heddle
