// AsyncMutex lets one call of a VM compute at a time; waiters are served in FIFO order.
#pragma once

#include <deque>
#include <memory>

#include "base/async.hpp"

namespace heddle::pipeline {

// One event loop; outlives its waiters.
class AsyncMutex {
 public:
  AsyncMutex();
  ~AsyncMutex();
  AsyncMutex(const AsyncMutex&) = delete;
  AsyncMutex& operator=(const AsyncMutex&) = delete;

  bool try_lock();
  Async<void> lock();
  void unlock();

 private:
  struct Waiter;
  std::deque<std::shared_ptr<Waiter>> waiters_;
  bool is_locked_ = false;
};

}  // namespace heddle::pipeline
