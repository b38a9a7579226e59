// Decides whether and when the process of a service restarts. Pure: the time and chance are passed
// in.
#pragma once

#include <chrono>
#include <deque>

#include "model/job/job.hpp"

namespace heddle::commands {

struct ServiceRules {
  RestartRule restart = RestartRule::always;
  int max_restarts = 20;  // within the window; then the service gives up
  std::chrono::milliseconds window = std::chrono::minutes(1);
  RetryPolicy backoff{};  // before a restart; grows with each end within the window
};
ServiceRules service_rules(const Job& job);

class ServicePlan {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  explicit ServicePlan(ServiceRules rules) : rules_(rules) {}

  enum class Then { restart, complete, give_up };
  struct Next {
    Then then = Then::restart;
    std::chrono::milliseconds pause{0};
  };
  // The process has ended without a requested stop.
  Next ended(bool has_succeeded, TimePoint now, double chance);

  [[nodiscard]] int restarts_in_window() const { return static_cast<int>(ends_.size()); }

 private:
  ServiceRules rules_;
  std::deque<TimePoint> ends_;  // oldest first, all within the window
};

}  // namespace heddle::commands
