// Detects jumps of the wall clock by comparing it with the steady clock. Pure; not thread-safe.
#pragma once

#include <chrono>
#include <optional>

#include "base/time.hpp"

namespace heddle::schedule {

class ClockWatch {
 public:
  // Corrections within the tolerance (NTP) need no replanning.
  explicit ClockWatch(std::chrono::milliseconds tolerance = std::chrono::seconds(2))
      : tolerance_(tolerance) {}

  // Returns how far the wall clock ran ahead of the steady clock since the last call (negative: it
  // was put back) when that exceeds the tolerance. A suspended machine looks like a clock that was
  // put forward. Call it whenever the scheduler wakes up, and at least once a minute.
  std::optional<std::chrono::milliseconds> observe(WallTime wall, Deadline steady) {
    using std::chrono::milliseconds;
    const milliseconds ahead = wall.time_since_epoch() -
                               std::chrono::duration_cast<milliseconds>(steady.time_since_epoch());
    const milliseconds jump = has_begun_ ? ahead - ahead_ : milliseconds(0);
    if (!has_begun_) ahead_ = ahead;
    has_begun_ = true;
    // Slow drift adds up until it exceeds the tolerance.
    if (jump <= tolerance_ && jump >= -tolerance_) return std::nullopt;
    ahead_ = ahead;
    return jump;
  }

 private:
  std::chrono::milliseconds tolerance_;
  std::chrono::milliseconds ahead_{0};  // wall minus steady when last planned
  bool has_begun_ = false;
};

}  // namespace heddle::schedule
