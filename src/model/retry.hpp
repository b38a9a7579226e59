// When a failed page is worth another try, and after how long. Pure: chance is passed in.
#pragma once

#include <chrono>
#include <optional>

#include "model/job.hpp"

namespace heddle {

struct FailedTry {
  int attempt = 1;  // 1 for the first try
  bool transient = false;
  std::optional<std::chrono::milliseconds> retry_after{};  // what the server asked for
};

// The wait before the next try, or nullopt when the page is given up. `chance` is in [0, 1).
// A server's Retry-After is honoured up to the policy's cap; chance never shortens it.
std::optional<std::chrono::milliseconds> next_try(const RetryPolicy& policy,
                                                  const FailedTry& failed, double chance);

}  // namespace heddle
