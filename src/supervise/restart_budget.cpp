#include "supervise/restart_budget.hpp"

#include <algorithm>

namespace heddle::supervise {

std::optional<std::chrono::milliseconds> RestartBudget::next_delay(Clock::time_point now) {
  const std::size_t restarts = restarts_in_window(now);
  if (restarts >= rules_.max_restarts) return std::nullopt;
  if (restarts == 0) return rules_.delay;
  auto pause = std::min(rules_.backoff, rules_.backoff_cap);
  for (std::size_t doubled = 1; doubled < restarts && pause < rules_.backoff_cap; ++doubled)
    pause = std::min(pause * 2, rules_.backoff_cap);
  return pause;
}

std::size_t RestartBudget::restarts_in_window(Clock::time_point now) {
  while (!restarts_.empty() && now - restarts_.front() > rules_.window) restarts_.pop_front();
  return restarts_.size();
}

std::size_t RestartBudget::restarts_since(Clock::time_point begin) const {
  return static_cast<std::size_t>(std::count_if(
      restarts_.begin(), restarts_.end(), [begin](Clock::time_point at) { return at >= begin; }));
}

}  // namespace heddle::supervise
