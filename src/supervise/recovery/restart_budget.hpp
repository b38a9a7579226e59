// Decides how long a slot waits before a restart and when it gives up.
// Pure: the caller passes the time in. Not thread-safe.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>

namespace heddle::supervise {

struct RestartPolicy {
  std::chrono::milliseconds delay{0};      // before the first restart in the window
  std::chrono::milliseconds backoff{100};  // before the second; doubles with each further one
  std::chrono::milliseconds backoff_cap{10'000};
  std::size_t max_restarts = 20;  // in the window; then the slot gives up
  std::chrono::milliseconds window{60'000};
};

class RestartBudget {
 public:
  using Clock = std::chrono::steady_clock;

  explicit RestartBudget(RestartPolicy policy) : policy_(policy) {}
  // Keeps the recorded restarts.
  void set_policy(RestartPolicy policy) { policy_ = policy; }

  // Returns the delay before a restart; nullopt: the budget is exhausted.
  [[nodiscard]] std::optional<std::chrono::milliseconds> next_delay(Clock::time_point now);

  void record_restart(Clock::time_point now) { restarts_.push_back(now); }
  [[nodiscard]] std::size_t restarts_in_window(Clock::time_point now);
  [[nodiscard]] std::size_t restarts_since(Clock::time_point begin) const;
  void clear() { restarts_.clear(); }

 private:
  RestartPolicy policy_;
  std::deque<Clock::time_point> restarts_;  // oldest first
};

}  // namespace heddle::supervise
