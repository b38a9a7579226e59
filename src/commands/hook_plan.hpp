// Which hooks of one phase are to be started, in which order, and what their failures mean. Pure:
// the time is passed in. Not thread-safe.
//
// Blocking hooks run one after another; an async one is started when its turn comes and nobody
// waits for it. A hook that was running when a daemon died is not run again, unless it is to be
// retried: then it is the next try.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/program.hpp"
#include "model/program_run.hpp"

namespace heddle::commands {

class HookPlan {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  // `hooks` are all of this phase, in their order.
  HookPlan(HookPhase phase, std::vector<HookRule> hooks);

  // What was recorded of the run before. To be called first.
  void restore(const std::vector<HookRecord>& records);

  struct Launch {
    std::size_t hook = 0;
    int attempt = 1;
  };
  struct Step {
    std::vector<Launch> launches{};         // running from now on
    std::optional<TimePoint> look_again{};  // when a retry is due
    bool is_blocking_over = false;          // nothing is left that anybody waits for
    bool is_over = false;                   // and nothing runs beside, or will
  };
  Step step(TimePoint now);

  enum class End { succeeded, failed, stopped };
  // One that was stopped, because its run is to end, is not tried again and has not failed.
  void ended(std::size_t hook, End end, TimePoint now);

  // Hooks that were not begun are left out, nothing is tried again: one that would be has not
  // failed.
  void skip_rest();
  // Nothing is tried again: one that would be has failed.
  void stop_retrying();

  [[nodiscard]] const HookRule& hook(std::size_t number) const { return hooks_[number]; }
  // The first one whose failure is the run's as well; nullptr: none.
  [[nodiscard]] const HookRule* failed_hook() const;
  [[nodiscard]] bool has_begun() const;
  // Whether all were begun and whoever is waited for has ended, none with a failure that counts.
  [[nodiscard]] bool is_through() const;
  // Whether no hook can fail any more in a way that is the run's failure as well.
  [[nodiscard]] bool is_judged() const;

 private:
  enum class State { waits, runs, pauses, succeeded, failed, skipped };
  struct Entry {
    State state = State::waits;
    int attempts = 0;  // begun
    TimePoint due{};   // while it pauses
  };

  [[nodiscard]] bool may_try_again(std::size_t number) const;
  void note_failure(std::size_t number, TimePoint due);
  void skip_after_failure();
  bool advance(std::size_t number, TimePoint now, Step& step);

  HookPhase phase_;
  std::vector<HookRule> hooks_;
  std::vector<Entry> entries_;
  bool is_skipping_ = false;
  bool is_retrying_ = true;
};

// The job's hooks of a phase, in the order of the file.
std::vector<HookRule> hooks_of(const std::vector<HookRule>& hooks, HookPhase phase);

}  // namespace heddle::commands
