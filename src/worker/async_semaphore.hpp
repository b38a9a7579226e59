// AsyncSemaphore limits how many pages of a run are processed at a time. One event loop; outlives
// its permits.
#pragma once

#include <memory>
#include <utility>

#include "base/async.hpp"

namespace heddle::worker {

class AsyncSemaphore {
 public:
  // Released once: by release() or when destroyed.
  class Permit {
   public:
    explicit Permit(AsyncSemaphore* owner) : owner_(owner) {}
    Permit(Permit&& other) noexcept : owner_(std::exchange(other.owner_, nullptr)) {}
    Permit& operator=(Permit&&) = delete;
    ~Permit() { release(); }

    void release() {
      if (AsyncSemaphore* owner = std::exchange(owner_, nullptr)) owner->return_permit();
    }

   private:
    AsyncSemaphore* owner_;
  };

  AsyncSemaphore(boost::asio::any_io_executor loop, int count);
  ~AsyncSemaphore();
  AsyncSemaphore(const AsyncSemaphore&) = delete;
  AsyncSemaphore& operator=(const AsyncSemaphore&) = delete;

  // Waiters are served in FIFO order.
  Async<Permit> acquire();

 private:
  struct State;
  void return_permit();

  std::unique_ptr<State> state_;
};

}  // namespace heddle::worker
