// Clocks, time stamps and durations. Wall time is stored and shown in UTC milliseconds; deadlines
// use the steady clock. Code gets the time from a Clock, so that tests never wait.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace heddle {

using WallTime = std::chrono::sys_time<std::chrono::milliseconds>;
using Deadline = std::chrono::steady_clock::time_point;

// Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  // Can be set forward and back at any time: for stamps and schedules, never to measure a wait.
  [[nodiscard]] virtual WallTime now() const = 0;
  // Elapsed time: setting the wall clock does not change it.
  [[nodiscard]] virtual Deadline steady_now() const = 0;
};

class SystemClock final : public Clock {
 public:
  [[nodiscard]] WallTime now() const override;
  [[nodiscard]] Deadline steady_now() const override { return std::chrono::steady_clock::now(); }
};

class ManualClock final : public Clock {  // for tests
 public:
  explicit ManualClock(WallTime start) : now_(start) {}
  [[nodiscard]] WallTime now() const override { return now_; }
  [[nodiscard]] Deadline steady_now() const override { return steady_; }
  // Time passes.
  void advance(std::chrono::milliseconds by) {
    now_ += by;
    steady_ += by;
  }
  // The wall clock is set forward or back; no time passes.
  void jump(std::chrono::milliseconds by) { now_ += by; }

 private:
  WallTime now_;
  Deadline steady_ = std::chrono::steady_clock::now();
};

// "2026-11-15T21:23:07.412Z"
std::string to_iso8601(WallTime time);

// Accepts a date alone or date and time, "T" or space between, optional fraction, "Z" or "+hh:mm".
std::optional<WallTime> parse_iso8601(std::string_view text);

// "1h30m", "90s", "250ms": the largest units first, nothing that is zero; "0s" for zero.
std::string to_short_text(std::chrono::milliseconds duration);

}  // namespace heddle
