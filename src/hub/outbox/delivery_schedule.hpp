// Computes when a failed delivery is retried. Pure.
#pragma once

#include <chrono>
#include <optional>

#include "base/time.hpp"

namespace heddle::hub {

inline constexpr std::chrono::hours kDeliveryLifetime{72};

struct FailedDelivery {
  WallTime created_at{};
  int attempts = 1;  // this one included
  std::optional<std::chrono::milliseconds> retry_after{};
};

// 1 s, 5 s, 30 s, 5 min, 30 min, then every hour; later when the receiver asks for it, with a last
// attempt at the end of the 72 hours. nullopt: they are over, give up.
std::optional<WallTime> next_attempt(const FailedDelivery& failed, WallTime now);

}  // namespace heddle::hub
