#include "hub/clock_monitor.hpp"

#include <utility>

namespace heddle::hub {

Async<Status> ClockMonitor::start() {
  const WallTime now = clock_.now();
  watch_.observe(now, clock_.steady_now());
  co_return co_await store_.restart_waits_after(now);
}

Async<Status> ClockMonitor::check() {
  const Deadline steady = clock_.steady_now();
  if (const auto jump = watch_.observe(clock_.now(), steady)) {
    pending_ += *jump;
    if (*jump >= kDoubtTime) doubtful_until_ = steady + kDoubtTime;
  }
  if (pending_ == std::chrono::milliseconds(0)) co_return Done{};
  const auto by = std::exchange(pending_, std::chrono::milliseconds(0));
  auto shifted = co_await store_.shift_waits(by);
  if (!shifted) pending_ += by;
  co_return shifted;
}

}  // namespace heddle::hub
