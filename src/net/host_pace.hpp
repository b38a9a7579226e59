// The arithmetic of one host's politeness: who may start when. Pure: time is passed in.
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

  // When the next request may start at the earliest; nullopt while all places are taken.
  [[nodiscard]] std::optional<Deadline> next_start() const {
    if (running_ >= std::max(1, limits_.concurrency)) return std::nullopt;
    return not_before_;
  }

  void start(Deadline now) {
    ++running_;
    not_before_ = std::max(not_before_, now + std::max(limits_.delay, least_delay_));
  }
  void set_limits(HostLimits limits) { limits_ = limits; }
  void finish() { --running_; }
  void slow_down(Deadline until) { not_before_ = std::max(not_before_, until); }
  // A delay that the site asks for; counts from the next start and is kept until `remember_until`.
  void keep_apart(std::chrono::milliseconds delay, Deadline remember_until) {
    least_delay_ = delay;
    remember_until_ = std::max(remember_until_, remember_until);
  }

  // Nothing is running and nothing needs to be remembered.
  [[nodiscard]] bool is_idle(Deadline now) const {
    return running_ == 0 && not_before_ <= now && remember_until_ <= now;
  }

 private:
  HostLimits limits_;
  std::chrono::milliseconds least_delay_{0};
  int running_ = 0;
  Deadline not_before_ = Deadline::min();
  Deadline remember_until_ = Deadline::min();
};

}  // namespace heddle::net
