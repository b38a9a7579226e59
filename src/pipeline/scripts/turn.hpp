// Only one call of a VM computes at a time; the others wait here, first come first served.
#pragma once

#include <deque>
#include <memory>

#include "base/async.hpp"

namespace heddle::pipeline {

// One event loop; outlives those who wait.
class Turn {
 public:
  Turn();
  ~Turn();
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  bool take_if_free();
  Async<void> take();
  void give_back();

 private:
  struct Waiter;
  std::deque<std::shared_ptr<Waiter>> waiters_;
  bool is_taken_ = false;
};

}  // namespace heddle::pipeline
