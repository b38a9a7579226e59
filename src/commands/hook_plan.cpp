#include "commands/hook_plan.hpp"

#include <algorithm>

namespace heddle::commands {

std::vector<HookRule> hooks_of(const std::vector<HookRule>& hooks, HookPhase phase) {
  std::vector<HookRule> out;
  std::copy_if(hooks.begin(), hooks.end(), std::back_inserter(out),
               [phase](const HookRule& hook) { return hook.phase == phase; });
  return out;
}

HookPlan::HookPlan(HookPhase phase, std::vector<HookRule> hooks)
    : phase_(phase), hooks_(std::move(hooks)), entries_(hooks_.size()) {}

void HookPlan::restore(const std::vector<HookRecord>& records) {
  for (std::size_t number = 0; number < hooks_.size(); ++number) {
    const HookRecord* last = nullptr;
    for (const HookRecord& record : records) {
      const bool is_of_hook = record.phase == phase_ && record.hook == hooks_[number].name;
      if (is_of_hook && (last == nullptr || record.attempt >= last->attempt)) last = &record;
    }
    if (last == nullptr) continue;
    Entry& entry = entries_[number];
    entry.attempts = last->attempt;
    if (last->state == HookState::succeeded)
      entry.state = State::succeeded;
    else if (last->state == HookState::stopped)
      entry.state = State::skipped;
    else
      note_failure(number, TimePoint::min());  // records without an end mean interrupted
  }
  skip_after_failure();
}

bool HookPlan::may_retry(std::size_t number) const {
  const HookRule& rule = hooks_[number];
  return is_retrying_ && rule.failure == HookFailure::retry &&
         entries_[number].attempts <= rule.retries;
}

void HookPlan::note_failure(std::size_t number, TimePoint due) {
  Entry& entry = entries_[number];
  entry.state = State::failed;
  if (may_retry(number)) entry.state = is_skipping_ ? State::skipped : State::backing_off;
  entry.due = due;
}

// After a failure the other hooks of pre_start and post_start are pointless. The hooks of a stop
// run in any case.
void HookPlan::skip_after_failure() {
  const bool is_pointless = phase_ == HookPhase::pre_start || phase_ == HookPhase::post_start;
  if (is_pointless && failed_hook() != nullptr) skip_rest();
}

void HookPlan::skip_rest() {
  is_skipping_ = true;
  for (Entry& entry : entries_)
    if (entry.state == State::waiting || entry.state == State::backing_off)
      entry.state = State::skipped;
}

void HookPlan::stop_retrying() {
  is_retrying_ = false;
  for (Entry& entry : entries_)
    if (entry.state == State::backing_off) entry.state = State::failed;
}

// False: the next hook has to wait for this one.
bool HookPlan::advance(std::size_t number, TimePoint now, Step& step) {
  Entry& entry = entries_[number];
  const bool is_due =
      entry.state == State::waiting || (entry.state == State::backing_off && entry.due <= now);
  if (is_due) {
    entry.state = State::running;
    step.launches.push_back({number, ++entry.attempts});
  }
  if (entry.state == State::backing_off)
    step.next_check = std::min(step.next_check.value_or(entry.due), entry.due);
  const bool is_active = entry.state == State::running || entry.state == State::backing_off;
  if (is_active) step.is_over = false;
  return !is_active || hooks_[number].mode == HookMode::async;
}

HookPlan::Step HookPlan::step(TimePoint now) {
  Step step;
  step.is_over = true;
  step.is_blocking_over = true;
  for (std::size_t number = 0; number < hooks_.size(); ++number) {
    if (advance(number, now, step)) continue;
    step.is_blocking_over = false;
    break;
  }
  // Async hooks may still be due for a retry.
  if (!step.is_blocking_over) step.is_over = false;
  return step;
}

void HookPlan::ended(std::size_t number, End end, TimePoint now) {
  Entry& entry = entries_[number];
  if (entry.state != State::running) return;
  if (end == End::succeeded)
    entry.state = State::succeeded;
  else if (end == End::stopped)
    entry.state = State::skipped;
  else
    note_failure(number, now + hooks_[number].retry_delay);
  skip_after_failure();
}

const HookRule* HookPlan::failed_hook() const {
  for (std::size_t number = 0; number < hooks_.size(); ++number)
    if (entries_[number].state == State::failed && hooks_[number].failure != HookFailure::ignore)
      return &hooks_[number];
  return nullptr;
}

bool HookPlan::is_decided() const {
  for (std::size_t number = 0; number < hooks_.size(); ++number) {
    const State state = entries_[number].state;
    const bool is_to_come =
        state == State::waiting || state == State::running || state == State::backing_off;
    if (is_to_come && hooks_[number].failure != HookFailure::ignore) return false;
  }
  return true;
}

bool HookPlan::has_completed() const {
  for (std::size_t number = 0; number < hooks_.size(); ++number) {
    const State state = entries_[number].state;
    const HookRule& rule = hooks_[number];
    const bool runs_async =
        rule.mode == HookMode::async && (state == State::running || state == State::backing_off);
    const bool is_ignored = state == State::failed && rule.failure == HookFailure::ignore;
    if (state != State::succeeded && !runs_async && !is_ignored) return false;
  }
  return true;
}

bool HookPlan::has_begun() const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [](const Entry& entry) { return entry.attempts > 0; });
}

}  // namespace heddle::commands
