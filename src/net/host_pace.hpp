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
    return earliest();
  }

  void start(Deadline now) {
    ++running_;
    not_before_ = std::max(not_before_, now + least_delay_);
    last_start_ = now;
  }
  // Count at once: also for the pause that is under way.
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
  Deadline not_before_ = Deadline::min();  // whatever our own delay is
  Deadline remember_until_ = Deadline::min();
};

}  // namespace heddle::net
