#include "script/lua/call_budget.hpp"

#include <fmt/format.h>

#include "script/lua/thread_time.hpp"

namespace heddle::script {

void CallBudget::start_clock() {
  entered_ = std::chrono::steady_clock::now();
  slice_start_ = entered_;
  has_mark_ = false;
  if (is_started_) return;
  is_started_ = true;
  deadline_ = entered_ + limits_.wall;
}

void CallBudget::start_cpu_clock() {
  start_clock();
  used_at_mark_ = used_;
  mark_ = thread_time();
  has_mark_ = true;
}

void CallBudget::stop_clock() {
  used_ = computed(std::chrono::steady_clock::now());
  has_mark_ = false;
}

void CallBudget::restart() {
  entered_ = std::chrono::steady_clock::now();
  deadline_ = entered_ + limits_.wall;
  used_ = Duration(0);
  has_mark_ = false;
}

CallBudget::Duration CallBudget::computed(Time now) const {
  if (has_mark_) return used_at_mark_ + (thread_time() - mark_);
  return used_ + (now - entered_);
}

CallBudget::Verdict CallBudget::check() {
  if (is_exceeded()) return Verdict::terminate;
  const Time now = std::chrono::steady_clock::now();
  if (!has_mark_) {
    used_at_mark_ = used_ + (now - entered_);
    mark_ = thread_time();
    has_mark_ = true;
  }
  if (now >= deadline_) {
    exceeded_reason_ = fmt::format("the script took longer than {} (script.wall_limit)",
                                   to_short_text(limits_.wall));
  } else if (used_ + (now - entered_) >= limits_.cpu && computed(now) >= limits_.cpu) {
    exceeded_reason_ = fmt::format("the script computed for longer than {} (script.cpu_limit)",
                                   to_short_text(limits_.cpu));
  }
  if (is_exceeded()) return Verdict::terminate;
  return now - slice_start_ >= limits_.slice ? Verdict::end_slice : Verdict::proceed;
}

Deadline CallBudget::deadline() const {
  return is_started_ ? deadline_ : std::chrono::steady_clock::now() + limits_.wall;
}

}  // namespace heddle::script
