// Sleeps that can all be ended at once. One event loop; sleepers may outlive it.
#pragma once

#include <chrono>
#include <memory>

#include "base/async.hpp"

namespace heddle::supervise {

class WakeUp {
 public:
  WakeUp();
  ~WakeUp();  // rings
  WakeUp(const WakeUp&) = delete;
  WakeUp& operator=(const WakeUp&) = delete;

  // True: the time is over. False: it was rung, now or earlier.
  [[nodiscard]] Async<bool> sleep(std::chrono::steady_clock::duration time);

  void ring();
  [[nodiscard]] bool has_rung() const;

 private:
  struct State;
  static Async<bool> sleep_on(std::shared_ptr<State> state,
                              std::chrono::steady_clock::duration time);
  std::shared_ptr<State> state_;
};

}  // namespace heddle::supervise
