#include "hub/outbox/delivery_schedule.hpp"

#include <algorithm>
#include <array>

namespace heddle::hub {

namespace {

using namespace std::chrono_literals;
using std::chrono::seconds;

constexpr std::array<seconds, 6> kDelays{1s, 5s, 30s, 5min, 30min, 1h};

}  // namespace

std::optional<WallTime> next_attempt(const FailedDelivery& failed, WallTime now) {
  const WallTime end = failed.created_at + kDeliveryLifetime;
  if (now >= end) return std::nullopt;
  const auto step = static_cast<std::size_t>(std::max(failed.attempts, 1)) - 1;
  const std::chrono::milliseconds delay = kDelays[std::min(step, kDelays.size() - 1)];
  return std::min(end, now + std::max(delay, failed.retry_after.value_or(0ms)));
}

}  // namespace heddle::hub
