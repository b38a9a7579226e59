// When a message that could not be sent is tried again. Pure.
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

// 1 s, 5 s, 30 s, 5 min, 30 min, then every hour; later when the receiver asked for it, with a last
// try at the end of its 72 hours. nullopt: those are over, give it up.
std::optional<WallTime> next_attempt(const FailedDelivery& failed, WallTime now);

}  // namespace heddle::hub
