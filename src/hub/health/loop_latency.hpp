// LoopLatency measures how late the event loop runs its timers. Single event loop.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>

#include "base/async.hpp"
#include "base/wake_signal.hpp"

namespace heddle::hub {

class LoopLatency {
 public:
  // Samples ten times a second until stop().
  Async<void> watch() {
    using std::chrono::steady_clock;
    while (true) {
      const auto due = steady_clock::now() + kInterval;
      const bool is_running = co_await stopped_.wait(due);
      if (!is_running) co_return;
      const auto late =
          std::chrono::duration_cast<std::chrono::microseconds>(steady_clock::now() - due);
      late_[next_++ % kSamples] = std::max(late, std::chrono::microseconds(0));
    }
  }
  void stop() { stopped_.close(); }

  // Of the last minute. A suspended machine counts like a blocked loop.
  [[nodiscard]] std::chrono::microseconds worst() const {
    return *std::max_element(late_.begin(), late_.end());
  }

 private:
  static constexpr std::chrono::milliseconds kInterval{100};
  static constexpr std::size_t kSamples = 600;
  std::array<std::chrono::microseconds, kSamples> late_{};
  std::size_t next_ = 0;
  WakeSignal stopped_;
};

}  // namespace heddle::hub
