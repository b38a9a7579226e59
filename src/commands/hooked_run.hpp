// Runs the work of a run with its hooks: pre_start, post_start, pre_stop, and post_stop exactly
// once, however the run ended. Records each stage before it begins, so that the next daemon resumes
// there after a crash. One event loop.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/result.hpp"
#include "base/wake_signal.hpp"
#include "commands/hook_runner.hpp"
#include "commands/run_parts.hpp"
#include "commands/run_work.hpp"
#include "model/job/job.hpp"
#include "model/run/program_run.hpp"

namespace heddle::commands {

class HookedRun : public std::enable_shared_from_this<HookedRun> {
 public:
  HookedRun(RunParts parts, const Job& job, const Run& run);

  // Runs the pre_start hooks unless they are over. False: the work does not start; carry_out() only
  // ends the run.
  Async<Result<bool>> prepare();

  // Creates the work of the run from its recorded processes.
  using MakeWork = std::function<std::shared_ptr<RunWork>(std::vector<ProcessRecord> before)>;
  // Runs all stages from the recorded one on. An error: a record could not be written; the caller
  // may retry.
  Async<Result<ExecutionResult>> carry_out(MakeWork make_work);

  // May be called at any time and repeatedly: a pause can still become a cancel or stop. Forced,
  // everything that runs is killed; the post_stop hooks get the rest of `stop_timeout`, which
  // counts from the first stop, but at least a second, and no retries.
  void halt(Halt how);
  // The daemon exits now: the next one resumes the run from here.
  void abandon();

 private:
  void force();
  Async<Status> load_history();
  Async<Status> note(RunStage stage);
  Async<Result<ExecutionResult>> run_stages(MakeWork make_work);
  Async<Result<ExecutionResult>> work();
  static Async<void> run_post_start(std::shared_ptr<HookedRun> self);
  static Async<void> run_pre_stop(std::shared_ptr<HookedRun> self);
  Async<void> wait_for_hook_tasks();
  static Async<void> watch_failures(std::shared_ptr<HookedRun> self);
  static Async<void> watch_post_stop(std::shared_ptr<HookedRun> self);
  void begin_post_stop();
  void limit_post_stop();
  void stop_work_now(Halt how);
  static Async<void> watch_deadline(std::shared_ptr<HookedRun> self, Deadline deadline);
  void start_deadline();
  void end_work();
  [[nodiscard]] bool is_ending() const { return halt_ && *halt_ != Halt::pause; }
  Async<Status> mark_interrupted(std::vector<ProcessRecord>& processes);
  void decide_before_work();
  void fail(ErrorKind reason, std::string message);
  [[nodiscard]] ExecutionResult finish(ExecutionResult worked) const;

  RunParts parts_;
  const Job job_;
  const Run run_;
  std::shared_ptr<HookRunner> hook_runner_;
  std::optional<RunStageRecord> stage_record_;  // nullopt: not loaded yet
  std::vector<ProcessRecord> processes_;
  std::shared_ptr<RunWork> work_;
  std::optional<Halt> halt_;
  bool is_forced_ = false;
  bool is_abandoned_ = false;
  bool is_past_deadline_ = false;
  bool is_work_over_ = false;
  bool is_over_ = false;  // post_stop has begun
  bool has_ended_ = false;
  bool is_post_stop_limited_ = false;
  std::optional<Deadline> stop_deadline_;  // set by the first stop
  int active_hook_tasks_ = 0;              // coroutines that run hooks during the work
  WakeSignal changed_;
};

}  // namespace heddle::commands
