// LoopLatency measures how late the event loop runs its timers. Single event loop.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>

#include "base/async.hpp"
#include "base/wake_signal.hpp"

namespace heddle::hub {

class LoopLatency {
 public:
  // Samples ten times a second until stop().
  Async<void> watch();
  void stop() { stopped_.close(); }

  // Of the last minute. A suspended machine counts like a blocked loop.
  [[nodiscard]] std::chrono::microseconds worst() const;

 private:
  static constexpr std::size_t kSamples = 600;
  std::array<std::chrono::microseconds, kSamples> late_{};
  std::size_t next_ = 0;
  WakeSignal stopped_;
};

}  // namespace heddle::hub
