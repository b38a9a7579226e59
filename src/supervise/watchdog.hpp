// Notices a process that has stopped counting its heartbeats. Pure: time is passed in.
#pragma once

#include <chrono>
#include <cstdint>

namespace heddle::supervise {

class Watchdog {
 public:
  using Clock = std::chrono::steady_clock;

  Watchdog(std::chrono::milliseconds hang_timeout, Clock::time_point start)
      : hang_timeout_(hang_timeout), looked_(start) {}

  // How often to look.
  [[nodiscard]] std::chrono::milliseconds period() const;

  // True: silent for the whole timeout. A gap between two looks counts as at most two periods: it
  // was us who were not awake, and the process must not die for that.
  [[nodiscard]] bool is_hung(std::uint64_t beats, Clock::time_point now);

 private:
  std::chrono::milliseconds hang_timeout_;
  Clock::time_point looked_;
  std::uint64_t beats_ = 0;
  Clock::duration silent_{0};
};

}  // namespace heddle::supervise
