// Work on other threads that whoever asked for it may stop waiting for: it goes on, because it
// cannot be stopped, and somebody has to see it through. One event loop.
#pragma once

#include <cstddef>
#include <memory>

#include "base/async.hpp"
#include "base/time.hpp"

namespace heddle::pipeline {

class LateWork {
 public:
  LateWork();
  ~LateWork();
  LateWork(const LateWork&) = delete;
  LateWork& operator=(const LateWork&) = delete;

  // What the work uses outlives idle(), or the loop: nothing resumes it afterwards.
  void begin(const boost::asio::any_io_executor& loop, Async<void> work);
  [[nodiscard]] std::size_t under_way() const;

  // Returns when nothing is under way, or at the deadline: then false.
  Async<bool> idle(Deadline deadline);

 private:
  struct State;
  std::shared_ptr<State> state_;  // shared with the work, which may outlive us
};

}  // namespace heddle::pipeline
