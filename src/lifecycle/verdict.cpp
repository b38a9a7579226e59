#include "lifecycle/verdict.hpp"

namespace heddle::lifecycle {

namespace {

// A run with a single page stands and falls with it, whatever the allowed rate.
bool too_many_failed(const RunFacts& facts) {
  const PageCounts& pages = facts.pages;
  if (pages.failed == 0) return false;
  const auto ended = pages.done + pages.failed + pages.skipped;
  if (pages.failed == ended) return true;
  return static_cast<double>(pages.failed) > facts.max_error_rate * static_cast<double>(ended);
}

}  // namespace

RunState judge(const RunFacts& facts) {
  if (facts.broke_down) return RunState::failed;
  if (facts.was_stopped) return RunState::stopped;
  if (facts.was_cancelled) return RunState::cancelled;
  if (too_many_failed(facts)) return RunState::failed;
  return facts.reached_limit ? RunState::limited : RunState::completed;
}

}  // namespace heddle::lifecycle
