#include "hub/health/loop_latency.hpp"

#include <algorithm>

namespace heddle::hub {

namespace {

constexpr std::chrono::milliseconds kLatencyInterval{100};

}  // namespace

Async<void> LoopLatency::watch() {
  using std::chrono::steady_clock;
  while (true) {
    const auto due = steady_clock::now() + kLatencyInterval;
    const bool is_running = co_await stopped_.wait(due);
    if (!is_running) co_return;
    const auto late =
        std::chrono::duration_cast<std::chrono::microseconds>(steady_clock::now() - due);
    late_[next_++ % kSamples] = std::max(late, std::chrono::microseconds(0));
  }
}

std::chrono::microseconds LoopLatency::worst() const {
  return *std::max_element(late_.begin(), late_.end());
}

}  // namespace heddle::hub
