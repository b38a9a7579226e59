// Computes when the next request to one host may start. Pure: time is passed in.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

#include "base/time.hpp"

namespace heddle::net {

struct HostLimits {
  int concurrency = 4;
  std::chrono::milliseconds delay{0};  // between two starts
};

class HostPace {
 public:
  explicit HostPace(HostLimits limits) : limits_(limits) {}

  // When the next request may start at the earliest; nullopt at the concurrency limit.
  [[nodiscard]] std::optional<Deadline> next_start() const {
    if (running_ >= std::max(1, limits_.concurrency)) return std::nullopt;
    return earliest();
  }

  void start(Deadline now) {
    ++running_;
    not_before_ = std::max(not_before_, now + least_delay_);
    last_start_ = now;
  }
  // Takes effect immediately, also for the current delay.
  void set_limits(HostLimits limits) { limits_ = limits; }
  void finish() { --running_; }
  void slow_down(Deadline until) { not_before_ = std::max(not_before_, until); }
  // A delay that the site requests; applies from the next start and expires at `remember_until`.
  void keep_apart(std::chrono::milliseconds delay, Deadline remember_until) {
    least_delay_ = delay;
    remember_until_ = std::max(remember_until_, remember_until);
  }

  // Nothing is running and no delay is pending.
  [[nodiscard]] bool is_idle(Deadline now) const {
    return running_ == 0 && earliest() <= now && remember_until_ <= now;
  }

 private:
  [[nodiscard]] Deadline earliest() const {
    return std::max(not_before_, last_start_ + limits_.delay);
  }

  HostLimits limits_;
  std::chrono::milliseconds least_delay_{0};
  int running_ = 0;
  Deadline last_start_ = Deadline::min();
  Deadline not_before_ = Deadline::min();  // regardless of the configured delay
  Deadline remember_until_ = Deadline::min();
};

}  // namespace heddle::net
