// Wakes coroutines that wait for something to change; they look themselves whether it has. One
// event loop.
#pragma once

#include <list>
#include <memory>

#include "base/async.hpp"
#include "base/time.hpp"

namespace heddle {

class Doorbell {
 public:
  Doorbell();
  ~Doorbell();  // wakes who still waits
  Doorbell(const Doorbell&) = delete;
  Doorbell& operator=(const Doorbell&) = delete;

  // Until the next ring, or the deadline.
  Async<void> wait(Deadline deadline = Deadline::max());

  // Wakes everybody who waits now.
  void ring();

 private:
  struct Waiters;
  std::shared_ptr<Waiters> waiters_;  // shared with those who wait
};

}  // namespace heddle
