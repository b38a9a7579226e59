#include "supervise/recovery/restart_budget.hpp"

#include <algorithm>

namespace heddle::supervise {

std::optional<std::chrono::milliseconds> RestartBudget::next_delay(Clock::time_point now) {
  const std::size_t restarts = restarts_in_window(now);
  if (restarts >= policy_.max_restarts) return std::nullopt;
  if (restarts == 0) return policy_.delay;
  auto pause = std::min(policy_.backoff, policy_.backoff_cap);
  for (std::size_t doubled = 1; doubled < restarts && pause < policy_.backoff_cap; ++doubled)
    pause = std::min(pause * 2, policy_.backoff_cap);
  return pause;
}

std::size_t RestartBudget::restarts_in_window(Clock::time_point now) {
  while (!restarts_.empty() && now - restarts_.front() > policy_.window) restarts_.pop_front();
  return restarts_.size();
}

std::size_t RestartBudget::restarts_since(Clock::time_point begin) const {
  return static_cast<std::size_t>(std::count_if(
      restarts_.begin(), restarts_.end(), [begin](Clock::time_point at) { return at >= begin; }));
}

}  // namespace heddle::supervise
