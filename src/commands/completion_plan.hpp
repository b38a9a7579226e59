// Decides which processes of a command run start, and when the run is decided. Pure: the time and
// chance are passed in. Not thread-safe.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "model/job/job.hpp"
#include "model/run/program_run.hpp"

namespace heddle::commands {

struct CompletionRules {
  int parallelism = 1;
  int completions = 1;
  bool replaces_failed = false;
  int backoff_limit = 6;  // failed processes beyond this fail the run
  RetryPolicy backoff{};  // pause of all starts after a failure
};
CompletionRules completion_rules(const Job& job);

struct ProcessAttempt {
  int index = 0;
  int attempt = 1;
  auto operator<=>(const ProcessAttempt&) const = default;
};

enum class Completion {
  succeeded,
  process_failed,          // one failed and is not replaced
  backoff_limit_exceeded,  // too many failed
};

// Each index from 0 to completions - 1 must succeed once; a failed index is retried. So there are
// never more processes than missing successes.
class CompletionPlan {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  explicit CompletionPlan(CompletionRules rules) : rules_(rules) {}

  // Applies the records of the run; a process recorded as running was killed with the daemon and
  // counts as failed. Call it first.
  void restore(const std::vector<ProcessRecord>& processes);

  struct Step {
    std::vector<ProcessAttempt> starts{};    // active from now on
    std::optional<TimePoint> next_check{};   // when a start is due
    std::optional<Completion> completion{};  // set: nothing starts any more
  };
  Step step(TimePoint now);

  enum class End { succeeded, failed, stopped };
  // `chance` in [0, 1) is the jitter of the backoff, which grows with each failure of the run. A
  // stopped process does not count.
  void ended(ProcessAttempt process, End end, TimePoint now, double chance);

  // nullopt: not decided.
  [[nodiscard]] std::optional<Completion> completion() const;
  [[nodiscard]] int active() const { return static_cast<int>(active_.size()); }
  [[nodiscard]] int succeeded() const { return static_cast<int>(done_.size()); }
  [[nodiscard]] int failed() const { return failed_; }

 private:
  std::optional<ProcessAttempt> take_next();
  [[nodiscard]] bool has_next() const {
    return !to_retry_.empty() || next_new_index_ < rules_.completions;
  }

  CompletionRules rules_;
  std::map<int, int> attempts_;  // by index, of started ones
  std::set<int> to_retry_;       // indexes
  TimePoint next_start_ = TimePoint::min();
  std::set<int> active_;
  std::set<int> done_;
  int next_new_index_ = 0;  // this and all higher indexes were never started
  int failed_ = 0;
};

}  // namespace heddle::commands
