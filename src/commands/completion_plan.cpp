#include "commands/completion_plan.hpp"

#include <algorithm>
#include <limits>

#include "model/job/retry.hpp"

namespace heddle::commands {

CompletionRules completion_rules(const Job& job) {
  CompletionRules rules;
  rules.parallelism = job.program.parallelism;
  rules.completions = job.program.completions;
  rules.replaces_failed = job.program.restart != RestartRule::never;
  rules.backoff_limit = job.program.backoff_limit;
  rules.backoff = job.retry;
  return rules;
}

void CompletionPlan::restore(const std::vector<ProcessRecord>& processes) {
  for (const ProcessRecord& process : processes) {
    const int index = process.index;
    if (index < 0 || index >= rules_.completions) continue;  // from a former, larger `completions`
    next_new_index_ = std::max(next_new_index_, index + 1);
    attempts_[index] = std::max(attempts_[index], process.attempt);
    switch (process.state) {
      case ProcessState::succeeded:
        done_.insert(index);
        break;
      case ProcessState::stopped:
        break;
      case ProcessState::running:
      case ProcessState::interrupted:
      case ProcessState::failed:
        ++failed_;
        break;
    }
  }
  for (int index = 0; index < next_new_index_; ++index)
    if (!done_.contains(index)) to_retry_.insert(index);
}

std::optional<Completion> CompletionPlan::completion() const {
  if (succeeded() >= rules_.completions) return Completion::succeeded;
  if (failed_ == 0) return std::nullopt;
  if (!rules_.replaces_failed) return Completion::process_failed;
  if (failed_ > rules_.backoff_limit) return Completion::backoff_limit_exceeded;
  return std::nullopt;
}

std::optional<ProcessAttempt> CompletionPlan::take_next() {
  if (!has_next()) return std::nullopt;
  const int index = to_retry_.empty() ? next_new_index_++ : *to_retry_.begin();
  to_retry_.erase(index);
  active_.insert(index);
  return ProcessAttempt{index, ++attempts_[index]};
}

CompletionPlan::Step CompletionPlan::step(TimePoint now) {
  Step step;
  step.completion = completion();
  if (step.completion) return step;
  if (now < next_start_) {
    if (active() < rules_.parallelism && has_next()) step.next_check = next_start_;
    return step;
  }
  while (active() < rules_.parallelism) {
    const auto next = take_next();
    if (!next) break;
    step.starts.push_back(*next);
  }
  return step;
}

void CompletionPlan::ended(ProcessAttempt process, End end, TimePoint now, double chance) {
  if (active_.erase(process.index) == 0) return;
  if (end == End::succeeded) {
    done_.insert(process.index);
    return;
  }
  to_retry_.insert(process.index);
  if (end != End::failed) return;
  RetryPolicy policy = rules_.backoff;
  policy.max = std::numeric_limits<int>::max();  // backoff_limit decides
  FailedTry failed;
  failed.attempt = ++failed_;
  failed.transient = true;
  next_start_ = std::max(next_start_, now + next_try(policy, failed, chance).value_or(policy.cap));
}

}  // namespace heddle::commands
