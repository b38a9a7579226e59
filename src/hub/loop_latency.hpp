// How late the event loop gets to what is due: the time something else held it. One event loop.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>

#include "base/async.hpp"
#include "base/doorbell.hpp"

namespace heddle::hub {

class LoopLatency {
 public:
  // Looks ten times a second, until stop().
  Async<void> watch();
  void stop() { stopped_.ring_for_good(); }

  // Of the last minute. A machine that was suspended counts like a loop that was held.
  [[nodiscard]] std::chrono::microseconds worst() const;

 private:
  static constexpr std::size_t kLooks = 600;
  std::array<std::chrono::microseconds, kLooks> late_{};
  std::size_t next_ = 0;
  Doorbell stopped_;
};

}  // namespace heddle::hub
