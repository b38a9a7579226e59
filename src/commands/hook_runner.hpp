// Runs the hooks of one run, phase by phase, and records each attempt before its start and after
// its end. One event loop; running hooks share ownership and may outlive the other owners briefly.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/result.hpp"
#include "base/wake_signal.hpp"
#include "commands/hook_plan.hpp"
#include "commands/run_parts.hpp"
#include "model/job/job.hpp"
#include "model/run/program_run.hpp"

namespace heddle::commands {

class HookRunner : public std::enable_shared_from_this<HookRunner> {
 public:
  HookRunner(RunParts parts, const Job& job, RunId run);

  // Applies the records of the run. A hook that was executed and has no end was interrupted and is
  // recorded so; one that was never executed is as if it had not been tried. Call it first.
  Async<Status> restore(std::vector<HookRecord> records);

  // Returns when the blocking hooks of the phase have ended; async ones may still run.
  Async<void> run_phase(HookPhase phase);
  // Does the same for post_stop. A run that never started runs only hooks with `always`.
  Async<void> run_post_stop(RunOutcome outcome);
  // Records hooks that a previous daemon never executed and this one did not run either.
  Async<Status> settle_unstarted();
  // Returns when no hook runs any more.
  Async<void> wait_for_all();
  // Returns when no hook of a started phase can fail the run any more.
  Async<void> wait_until_decided();

  // Starts no hook any more except post_stop.
  void skip_rest();
  // Stops the pre_start and post_start hooks that still run; kills them after the grace period.
  void stop_start_hooks(std::chrono::milliseconds grace);
  // Kills all hooks but those of post_stop.
  void kill_before_post_stop();
  void kill_running();
  // Retries no post_stop hook any more.
  void stop_retrying_post_stop();
  // Ends running post_stop hooks as timed out and starts no more.
  void abort_post_stop();
  // The daemon exits now: starts nothing any more and kills running hooks as interrupted.
  void abandon();

  struct Failure {
    HookPhase phase = HookPhase::pre_start;
    std::string hook;
    std::string message;  // how its last attempt ended
  };
  // Hooks whose failures fail the run, in the order of their phases.
  [[nodiscard]] std::vector<Failure> failures() const;
  [[nodiscard]] bool has_failed(HookPhase phase) const;
  // True when the phase has completed, in this or a previous daemon.
  [[nodiscard]] bool has_completed(HookPhase phase) const;
  // Set when a record could not be written.
  [[nodiscard]] const std::optional<Error>& journal_error() const { return journal_error_; }
  // Signalled when a hook has ended.
  [[nodiscard]] WakeSignal& changed() { return changed_; }

 private:
  struct Phase {
    explicit Phase(HookPlan plan_in) : plan(std::move(plan_in)) {}
    HookPlan plan;
    bool is_blocking_over = false;
    bool is_over = false;
    unsigned revision = 0;       // changes with each end of a hook and each command
    unsigned stop_requests = 0;  // how often all running hooks were stopped
  };

  Phase& begin_phase(HookPhase phase, std::vector<HookRule> hooks);
  Async<void> wait_for_blocking(HookPhase phase);
  static Async<void> drive_phase(std::shared_ptr<HookRunner> self, HookPhase phase);
  static Async<void> run_hook(std::shared_ptr<HookRunner> self, HookPhase phase,
                              HookPlan::Launch launch);
  Async<HookRecord> try_hook(const HookRule& rule, int attempt);
  Async<void> start_hook(const HookRule& rule, HookRecord& record, unsigned stop_requests);
  Async<void> await_end(HookRecord& record, std::shared_ptr<SupervisedProcess> program,
                        unsigned stop_requests);
  Async<void> note_running(HookRecord record);
  [[nodiscard]] HookState state_when_stopped(HookPhase phase) const;
  Async<Status> note(HookRecord record);
  enum class Scope { start, before_post_stop, post_stop, all };  // of phases
  static bool is_within(HookPhase phase, Scope scope);
  void end_programs(Scope scope, std::optional<std::chrono::milliseconds> grace);
  [[nodiscard]] LaunchSpec launch_spec_of(const HookRule& rule, int attempt) const;

  RunParts parts_;
  const Job job_;
  RunId run_;
  std::vector<HookRecord> before_;
  std::vector<HookRecord> unstarted_;  // intended by a previous daemon and never executed
  std::map<HookPhase, Phase> phases_;
  std::map<std::string, std::string> last_ends_;  // by hook: how its last attempt ended
  std::optional<RunOutcome> outcome_;
  std::map<std::shared_ptr<SupervisedProcess>, HookPhase> running_;
  std::optional<Error> journal_error_;
  bool is_abandoned_ = false;
  bool no_post_stop_retries_ = false;
  bool is_post_stop_aborted_ = false;
  WakeSignal changed_;
};

}  // namespace heddle::commands
