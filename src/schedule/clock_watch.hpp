// Notices when the wall clock was set, which the steady clock is not. Pure; not thread-safe.
#pragma once

#include <chrono>
#include <optional>

#include "base/time.hpp"

namespace heddle::schedule {

class ClockWatch {
 public:
  // Small corrections, spread out by NTP or not, need no new planning.
  explicit ClockWatch(std::chrono::milliseconds tolerance = std::chrono::seconds(2))
      : tolerance_(tolerance) {}

  // To be called whenever the scheduler wakes up, and at least once a minute. By how much the wall
  // clock ran ahead of the steady clock since the last call (negative: was put back), if that is
  // more than tolerated. A suspended machine looks like a clock that was put forward.
  std::optional<std::chrono::milliseconds> observe(WallTime wall, Deadline steady) {
    using std::chrono::milliseconds;
    const milliseconds ahead = wall.time_since_epoch() -
                               std::chrono::duration_cast<milliseconds>(steady.time_since_epoch());
    const milliseconds jump = has_begun_ ? ahead - ahead_ : milliseconds(0);
    if (!has_begun_) ahead_ = ahead;
    has_begun_ = true;
    // Slow drift adds up until it is worth a new planning.
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
