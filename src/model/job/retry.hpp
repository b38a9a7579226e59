// Computes whether and when a failed page is retried. Pure: randomness is passed in.
#pragma once

#include <chrono>
#include <optional>

#include "model/job/job.hpp"

namespace heddle {

struct FailedTry {
  int attempt = 1;  // 1 for the first attempt
  bool transient = false;
  std::optional<std::chrono::milliseconds> retry_after{};  // requested by the server
};

// The delay before the next attempt; nullopt: do not retry. `chance` is in [0, 1).
// A server's Retry-After is honoured up to the policy's cap; chance never shortens it.
std::optional<std::chrono::milliseconds> next_try(const RetryPolicy& policy,
                                                  const FailedTry& failed, double chance);

// The same for a page that the site returned in place of the wanted one: a single further try,
// after a minute or more, unless the policy retries nothing.
std::optional<std::chrono::milliseconds> next_try_of_wrong_page(const RetryPolicy& policy,
                                                                const FailedTry& failed,
                                                                double chance);

}  // namespace heddle
