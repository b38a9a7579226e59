// Which processes of a command run are to be started, and when the run is decided. Pure: the time
// and chance are passed in. Not thread-safe.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "model/job.hpp"
#include "model/program_run.hpp"

namespace heddle::commands {

struct CompletionRules {
  int parallelism = 1;
  int completions = 1;
  bool replaces_failed = false;
  int backoff_limit = 6;  // failed processes beyond this fail the run
  RetryPolicy gaps{};     // after a failure nothing starts for that long
};
CompletionRules completion_rules(const Job& job);

struct ProcessTry {
  int index = 0;
  int attempt = 1;
  auto operator<=>(const ProcessTry&) const = default;
};

enum class Completion {
  succeeded,
  process_failed,          // one failed, and nothing replaces it
  backoff_limit_exceeded,  // too many failed
};

// Each index 0 to completions - 1 must succeed once; one that failed is tried again as itself. So
// there are never more processes than successes are missing.
class CompletionPlan {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  explicit CompletionPlan(CompletionRules rules) : rules_(rules) {}

  // What was recorded of the run before; one that was running then was killed with the daemon and
  // counts as failed. To be called first.
  void restore(const std::vector<ProcessRecord>& processes);

  struct Step {
    std::vector<ProcessTry> starts{};        // active from now on
    std::optional<TimePoint> look_again{};   // when a start is due
    std::optional<Completion> completion{};  // nothing is started any more
  };
  Step step(TimePoint now);

  enum class End { succeeded, failed, stopped };
  // `chance` in [0, 1) spreads the gaps, which grow with each failure of the run. One that was
  // stopped counts for nothing.
  void ended(ProcessTry process, End end, TimePoint now, double chance);

  // nullopt: it is not decided.
  [[nodiscard]] std::optional<Completion> completion() const;
  [[nodiscard]] int active() const { return static_cast<int>(active_.size()); }
  [[nodiscard]] int succeeded() const { return static_cast<int>(done_.size()); }
  [[nodiscard]] int failed() const { return failed_; }

 private:
  std::optional<ProcessTry> take_next();
  [[nodiscard]] bool has_next() const { return !again_.empty() || fresh_ < rules_.completions; }

  CompletionRules rules_;
  std::map<int, int> attempts_;  // begun so far, of indexes that were begun
  std::set<int> again_;          // indexes that wait for another try
  TimePoint next_start_ = TimePoint::min();
  std::set<int> active_;
  std::set<int> done_;
  int fresh_ = 0;  // indexes from here on were never begun
  int failed_ = 0;
};

}  // namespace heddle::commands
