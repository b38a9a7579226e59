#include "model/job/retry.hpp"

#include <algorithm>
#include <cmath>

namespace heddle {

std::optional<std::chrono::milliseconds> next_try(const RetryPolicy& policy,
                                                  const FailedTry& failed, double chance) {
  using std::chrono::milliseconds;
  if (!failed.transient || failed.attempt > policy.max) return std::nullopt;

  const double cap = static_cast<double>(policy.cap.count());
  const double grown = static_cast<double>(policy.base.count()) *
                       std::pow(policy.factor, static_cast<double>(failed.attempt - 1));
  const double spread = 1.0 + policy.jitter * (2.0 * chance - 1.0);
  const milliseconds wait{static_cast<std::int64_t>(std::min(cap, std::min(cap, grown) * spread))};
  if (!failed.retry_after) return wait;
  return std::max(wait, std::min(*failed.retry_after, policy.cap));
}

std::optional<std::chrono::milliseconds> next_try_of_wrong_page(const RetryPolicy& policy,
                                                                const FailedTry& failed,
                                                                double chance) {
  using std::chrono::milliseconds;
  constexpr milliseconds kLeast = std::chrono::minutes(1);
  if (!failed.transient || failed.attempt > std::min(policy.max, 1)) return std::nullopt;
  const double spread = 1.0 + policy.jitter * chance;
  const milliseconds wait{static_cast<std::int64_t>(static_cast<double>(kLeast.count()) * spread)};
  if (!failed.retry_after) return wait;
  return std::max(wait, std::min(*failed.retry_after, policy.cap));
}

}  // namespace heddle
