// DetachedWork owns work on other threads that cannot be cancelled and may outlive its requester.
// One event loop.
#pragma once

#include <cstddef>
#include <memory>

#include "base/async.hpp"
#include "base/time.hpp"

namespace heddle::pipeline {

class DetachedWork {
 public:
  DetachedWork();
  ~DetachedWork();
  DetachedWork(const DetachedWork&) = delete;
  DetachedWork& operator=(const DetachedWork&) = delete;

  // What the work uses must outlive idle() or the loop.
  void start(const boost::asio::any_io_executor& loop, Async<void> work);
  [[nodiscard]] std::size_t in_flight() const;

  // Waits until no work is in flight; false at the deadline.
  Async<bool> idle(Deadline deadline);

 private:
  struct State;
  std::shared_ptr<State> state_;  // shared with the work, which may outlive this object
};

}  // namespace heddle::pipeline
