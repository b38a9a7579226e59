// Runs the hooks of one run, phase by phase, and writes down each try before it is begun and after
// it has ended. One event loop; shared with the hooks that run, so that they can outlive its owner
// by a moment.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/doorbell.hpp"
#include "base/result.hpp"
#include "commands/hook_plan.hpp"
#include "commands/run_parts.hpp"
#include "model/job.hpp"
#include "model/program_run.hpp"

namespace heddle::commands {

class HookCrew : public std::enable_shared_from_this<HookCrew> {
 public:
  HookCrew(RunParts parts, const Job& job, RunId run);

  // What was recorded of the run before: a hook that seems to run was interrupted, and that is
  // written down. To be called first.
  Async<Status> restore(std::vector<HookRecord> records);

  // Returns when no hook of the phase is left that anybody waits for; async ones run on.
  Async<void> run_phase(HookPhase phase);
  // The same for the end of a run. One that never started has only hooks that always run.
  Async<void> run_post_stop(RunVerdict verdict);
  // Returns when nothing runs any more.
  Async<void> wait_for_all();
  // Returns when no hook of the phases that were begun can become the failure of the run any more.
  Async<void> wait_until_judged();

  // No hook is begun any more but those of the end.
  void skip_rest();
  // Hooks of the start that run beside the work are asked to end, and killed after that time.
  void end_beside(std::chrono::milliseconds patience);
  // All but those of the end.
  void kill_before_end();
  void kill_running();
  // No hook of the end is tried again.
  void hurry_end();
  // What runs of the end has had its time, and nothing of it is begun any more.
  void cut_end();
  // The daemon is gone in a moment: nothing is begun any more, and what runs is killed and counts
  // as interrupted.
  void abandon();

  struct Failure {
    HookPhase phase = HookPhase::pre_start;
    std::string hook;
    std::string message;  // how its last try ended
  };
  // Hooks whose failures are the run's as well, in the order of their phases.
  [[nodiscard]] std::vector<Failure> failures() const;
  [[nodiscard]] bool has_failed(HookPhase phase) const;
  // Whether the phase has come to its end, now or before the daemon was started.
  [[nodiscard]] bool is_through(HookPhase phase) const;
  // Something could not be written down.
  [[nodiscard]] const std::optional<Error>& trouble() const { return trouble_; }
  // Rings when a hook has ended.
  [[nodiscard]] Doorbell& news() { return news_; }

 private:
  struct Phase {
    explicit Phase(HookPlan its_plan) : plan(std::move(its_plan)) {}
    HookPlan plan;
    bool is_blocking_over = false;
    bool is_over = false;
    unsigned ends = 0;     // of hooks
    unsigned endings = 0;  // times that all which ran was to end
  };

  Phase& begin_phase(HookPhase phase, std::vector<HookRule> hooks);
  Async<void> wait_for_blocking(HookPhase phase);
  static Async<void> tend(std::shared_ptr<HookCrew> self, HookPhase phase);
  static Async<void> run_hook(std::shared_ptr<HookCrew> self, HookPhase phase,
                              HookPlan::Launch launch);
  Async<HookRecord> try_hook(const HookRule& rule, int attempt);
  Async<Status> note(HookRecord record);
  enum class Reach { start, before_end, end, all };  // which phases are meant
  static bool is_within(HookPhase phase, Reach reach);
  void end_programs(Reach reach, std::optional<std::chrono::milliseconds> patience);
  [[nodiscard]] ProgramOrder order_of(const HookRule& rule, int attempt) const;

  RunParts parts_;
  const Job job_;
  RunId run_;
  std::vector<HookRecord> before_;
  std::map<HookPhase, Phase> phases_;
  std::map<std::string, std::string> last_ends_;  // by hook: how its last try ended
  std::optional<RunVerdict> verdict_;
  std::map<std::shared_ptr<TendedProgram>, HookPhase> running_;
  std::optional<Error> trouble_;
  bool is_abandoned_ = false;
  bool is_hurried_ = false;
  bool is_cut_ = false;
  Doorbell news_;
};

}  // namespace heddle::commands
