// A run with all that belongs around it: pre_start hooks, its work, post_start and pre_stop hooks,
// and post_stop hooks exactly once, however it ended. How far it has come is written down before
// each stage, so that whoever comes after a crash goes on from there. One event loop.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/doorbell.hpp"
#include "base/result.hpp"
#include "commands/hook_crew.hpp"
#include "commands/run_parts.hpp"
#include "commands/work.hpp"
#include "model/job.hpp"
#include "model/program_run.hpp"

namespace heddle::commands {

struct HookedEnd {
  WorkEnd end = WorkEnd::done;
  RunVerdict verdict{};            // hooks included
  std::vector<RunError> errors{};  // of hooks and processes
};

class HookedRun : public std::enable_shared_from_this<HookedRun> {
 public:
  HookedRun(RunParts parts, const Job& job, const Run& run);

  // The hooks before its work, unless they are over. False: its work is not to begin, carry_out()
  // only ends the run.
  Async<Result<bool>> prepare();

  // Makes the work of the run from the processes it has had.
  using MakeWork = std::function<std::shared_ptr<Work>(std::vector<ProcessRecord> before)>;
  // Everything from wherever it stands. An error: it could not be written down; somebody may try
  // again.
  Async<Result<HookedEnd>> carry_out(MakeWork make_work);

  // At any time, also again: a pause can still become something final.
  void end(Ending how);
  // Whatever runs is killed. The hooks of its end have what is left of `stop_timeout`, which counts
  // from the first stop, and a moment at least; none of them is tried again.
  void force();
  // The daemon is gone in a moment: the next one goes on from here.
  void abandon();

 private:
  Async<Status> recall();
  Async<Status> note(RunStage stage);
  Async<Result<HookedEnd>> go_through(MakeWork make_work);
  Async<Result<WorkResult>> work();
  static Async<void> run_post_start(std::shared_ptr<HookedRun> self);
  static Async<void> run_pre_stop(std::shared_ptr<HookedRun> self);
  Async<void> wait_for_hooks_beside();
  static Async<void> watch_failures(std::shared_ptr<HookedRun> self);
  static Async<void> watch_end(std::shared_ptr<HookedRun> self);
  void begin_end();
  void bound_end();
  void end_now(Ending how);
  static Async<void> watch_deadline(std::shared_ptr<HookedRun> self, Deadline deadline);
  void keep_deadline();
  void end_work();
  [[nodiscard]] bool is_to_end() const { return ending_ && *ending_ != Ending::pause; }
  Async<Status> settle_interrupted(std::vector<ProcessRecord>& processes);
  void decide_before_work();
  void fail(std::string reason, std::string message);
  [[nodiscard]] HookedEnd finish() const;

  RunParts parts_;
  const Job job_;
  const Run run_;
  std::shared_ptr<HookCrew> crew_;
  std::optional<RunCourse> course_;  // nullopt: not known yet
  std::vector<ProcessRecord> processes_;
  std::shared_ptr<Work> work_;
  std::optional<Ending> ending_;
  bool is_forced_ = false;
  bool is_abandoned_ = false;
  bool is_past_deadline_ = false;
  bool is_work_over_ = false;
  bool is_over_ = false;  // its end has begun
  bool has_ended_ = false;
  bool is_end_bounded_ = false;
  std::optional<Deadline> stop_by_;  // once a stop was asked for
  int hooks_beside_ = 0;             // coroutines that run hooks beside the work
  Doorbell news_;
};

}  // namespace heddle::commands
