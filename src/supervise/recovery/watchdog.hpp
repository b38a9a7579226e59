// Detects a process whose heartbeat counter has stopped. Pure: time is passed in.
#pragma once

#include <chrono>
#include <cstdint>

namespace heddle::supervise {

class Watchdog {
 public:
  using Clock = std::chrono::steady_clock;

  Watchdog(std::chrono::milliseconds hang_timeout, Clock::time_point start)
      : hang_timeout_(hang_timeout), last_check_(start) {}

  // The interval between checks.
  [[nodiscard]] std::chrono::milliseconds period() const;

  // True: no heartbeat for the whole timeout. A gap between two checks counts as at most two
  // periods, because then the checking process itself was suspended.
  [[nodiscard]] bool is_hung(std::uint64_t beats, Clock::time_point now);

 private:
  std::chrono::milliseconds hang_timeout_;
  Clock::time_point last_check_;
  std::uint64_t beats_ = 0;
  Clock::duration silent_{0};
};

}  // namespace heddle::supervise
