#include "commands/completion_plan.hpp"

#include <algorithm>
#include <limits>

#include "model/retry.hpp"

namespace heddle::commands {

CompletionRules completion_rules(const Job& job) {
  CompletionRules rules;
  rules.parallelism = job.program.parallelism;
  rules.completions = job.program.completions;
  rules.replaces_failed = job.program.restart != RestartRule::never;
  rules.backoff_limit = job.program.backoff_limit;
  rules.gaps = job.retry;
  return rules;
}

void CompletionPlan::restore(const std::vector<ProcessRecord>& processes) {
  for (const ProcessRecord& process : processes) {
    const int index = process.index;
    if (index < 0 || index >= rules_.completions) continue;  // of a larger number, configured then
    fresh_ = std::max(fresh_, index + 1);
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
  for (int index = 0; index < fresh_; ++index)
    if (!done_.contains(index)) again_.emplace(TimePoint::min(), index);
}

std::optional<Completion> CompletionPlan::completion() const {
  if (succeeded() >= rules_.completions) return Completion::succeeded;
  if (failed_ == 0) return std::nullopt;
  if (!rules_.replaces_failed) return Completion::process_failed;
  if (failed_ > rules_.backoff_limit) return Completion::backoff_limit_exceeded;
  return std::nullopt;
}

std::optional<ProcessTry> CompletionPlan::take_next(TimePoint now) {
  int index = fresh_;
  if (!again_.empty() && again_.begin()->first <= now) {
    index = again_.begin()->second;
    again_.erase(again_.begin());
  } else if (fresh_ < rules_.completions) {
    ++fresh_;
  } else {
    return std::nullopt;
  }
  active_.insert(index);
  return ProcessTry{index, ++attempts_[index]};
}

CompletionPlan::Step CompletionPlan::step(TimePoint now) {
  Step step;
  step.completion = completion();
  if (step.completion) return step;
  while (active() < rules_.parallelism) {
    const auto next = take_next(now);
    if (!next) break;
    step.starts.push_back(*next);
  }
  if (active() < rules_.parallelism && !again_.empty()) step.look_again = again_.begin()->first;
  return step;
}

void CompletionPlan::ended(ProcessTry process, End end, TimePoint now, double chance) {
  if (active_.erase(process.index) == 0) return;
  if (end == End::succeeded) {
    done_.insert(process.index);
    return;
  }
  TimePoint due = now;
  if (end == End::failed) {
    ++failed_;
    RetryPolicy policy = rules_.gaps;
    policy.max = std::numeric_limits<int>::max();  // backoff_limit decides
    FailedTry failed;
    failed.attempt = process.attempt;
    failed.transient = true;
    due += next_try(policy, failed, chance).value_or(policy.cap);
  }
  again_.emplace(due, process.index);
}

}  // namespace heddle::commands
