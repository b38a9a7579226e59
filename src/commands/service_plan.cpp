#include "commands/service_plan.hpp"

#include <limits>

#include "model/job/retry.hpp"

namespace heddle::commands {

ServiceRules service_rules(const Job& job) {
  return {job.program.restart, job.program.max_restarts, job.program.restart_window, job.retry};
}

ServicePlan::Next ServicePlan::ended(bool has_succeeded, TimePoint now, double chance) {
  if (has_succeeded && rules_.restart == RestartRule::on_failure) return {Then::complete};
  while (!ends_.empty() && now - ends_.front() >= rules_.window) ends_.pop_front();
  if (restarts_in_window() >= rules_.max_restarts) return {Then::give_up};
  ends_.push_back(now);
  RetryPolicy policy = rules_.backoff;
  policy.max = std::numeric_limits<int>::max();
  FailedTry failed;
  failed.attempt = restarts_in_window();
  failed.transient = true;
  return {Then::restart, next_try(policy, failed, chance).value_or(policy.cap)};
}

}  // namespace heddle::commands
