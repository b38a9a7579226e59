#include "lifecycle/run_end_state.hpp"

namespace heddle::lifecycle {

namespace {

// A run whose pages all failed has failed, at any allowed rate.
bool too_many_failed(const RunEndFacts& facts) {
  const PageCounts& pages = facts.pages;
  if (pages.failed == 0) return false;
  const auto ended = pages.done + pages.failed + pages.skipped;
  if (pages.failed == ended) return true;
  return static_cast<double>(pages.failed) > facts.max_error_rate * static_cast<double>(ended);
}

}  // namespace

RunState run_end_state(const RunEndFacts& facts) {
  if (facts.engine_failed) return RunState::failed;
  if (facts.was_stopped) return RunState::stopped;
  if (facts.was_cancelled) return RunState::cancelled;
  if (too_many_failed(facts)) return RunState::failed;
  return facts.reached_limit ? RunState::limited : RunState::completed;
}

}  // namespace heddle::lifecycle
