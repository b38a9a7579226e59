#include "supervise/recovery/watchdog.hpp"

#include <algorithm>

namespace heddle::supervise {

using std::chrono::milliseconds;

milliseconds Watchdog::period() const {
  return std::clamp(hang_timeout_ / 8, milliseconds(5), milliseconds(1000));
}

bool Watchdog::is_hung(std::uint64_t beats, Clock::time_point now) {
  const Clock::duration gap = std::min<Clock::duration>(now - last_check_, 2 * period());
  last_check_ = now;
  if (beats != beats_) {
    beats_ = beats;
    silent_ = Clock::duration(0);
    return false;
  }
  silent_ += gap;
  return silent_ >= hang_timeout_;
}

}  // namespace heddle::supervise
