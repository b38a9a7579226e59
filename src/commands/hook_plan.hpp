// Decides which hooks of one phase start when, and what their failures mean. Pure: the time is
// passed in. Not thread-safe.
//
// Blocking hooks run in order; an async hook starts in its turn, and the next one does not wait for
// it. A hook that was running when a daemon died is repeated only if it has retries: as its next
// attempt.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/job/program.hpp"
#include "model/run/program_run.hpp"

namespace heddle::commands {

class HookPlan {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  // `hooks`: all of this phase, in order.
  HookPlan(HookPhase phase, std::vector<HookRule> hooks);

  // Applies the records of the run. Call it first.
  void restore(const std::vector<HookRecord>& records);

  struct Launch {
    std::size_t hook = 0;
    int attempt = 1;
  };
  struct Step {
    std::vector<Launch> launches{};         // running from now on
    std::optional<TimePoint> next_check{};  // when a retry is due
    bool is_blocking_over = false;          // no blocking hook is left
    bool is_over = false;                   // and no async hook runs or will run
  };
  Step step(TimePoint now);

  enum class End { succeeded, failed, stopped };
  // A hook that was stopped with its run is not retried and has not failed.
  void ended(std::size_t hook, End end, TimePoint now);

  // Skips hooks that have not started and all retries; a hook that waits for a retry has not
  // failed.
  void skip_rest();
  // Retries nothing any more; a hook that waits for a retry has failed.
  void stop_retrying();

  [[nodiscard]] const HookRule& hook(std::size_t number) const { return hooks_[number]; }
  // The first hook whose failure fails the run; nullptr: none.
  [[nodiscard]] const HookRule* failed_hook() const;
  [[nodiscard]] bool has_begun() const;
  // True when all hooks have started and the blocking ones have ended without a counted failure.
  [[nodiscard]] bool has_completed() const;
  // True when no hook can fail the run any more.
  [[nodiscard]] bool is_decided() const;

 private:
  enum class State { waiting, running, backing_off, succeeded, failed, skipped };
  struct Entry {
    State state = State::waiting;
    int attempts = 0;  // started
    TimePoint due{};   // of the retry, while backing_off
  };

  [[nodiscard]] bool may_retry(std::size_t number) const;
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
