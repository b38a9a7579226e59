// Wakes coroutines that wait for something to change; they look themselves whether it has. One
// event loop; who waits may outlive it.
#pragma once

#include <chrono>
#include <memory>

#include "base/async.hpp"
#include "base/time.hpp"

namespace heddle {

class Doorbell {
 public:
  Doorbell();
  ~Doorbell();  // rings for good
  Doorbell(const Doorbell&) = delete;
  Doorbell& operator=(const Doorbell&) = delete;

  // Until the next ring, or the deadline. False: it rings for good.
  Async<bool> wait(Deadline deadline = Deadline::max());
  Async<bool> wait_for(std::chrono::steady_clock::duration time);

  // Wakes everybody who waits now.
  void ring();

  // Wakes everybody who waits now or ever will.
  void ring_for_good();
  [[nodiscard]] bool rings_for_good() const;

 private:
  struct Waiters;
  static Async<bool> wait_among(std::shared_ptr<Waiters> waiters, Deadline deadline);
  std::shared_ptr<Waiters> waiters_;  // shared with those who wait
};

}  // namespace heddle
