// Runs the processes of a command run by its CompletionPlan and records each before its start and
// after its exit. One event loop.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "base/wake_signal.hpp"
#include "commands/completion_plan.hpp"
#include "commands/run_parts.hpp"
#include "commands/run_work.hpp"
#include "model/job/job.hpp"

namespace heddle::commands {

class CommandWork final : public RunWork, public std::enable_shared_from_this<CommandWork> {
 public:
  // `before`: the recorded processes of the run.
  CommandWork(RunParts parts, const Job& job, RunId run, std::vector<ProcessRecord> before);

  Async<Result<ExecutionResult>> work(std::function<void()> on_started) override;
  void halt(Halt how) override;

  [[nodiscard]] const CompletionPlan& plan() const { return plan_; }

 private:
  void force();
  Async<void> wait_for_active();
  void end_active();
  void end_program(SupervisedProcess& program) const;
  void launch(const std::vector<ProcessAttempt>& starts);
  [[nodiscard]] ExecutionResult result_of(Completion completion) const;
  Async<Result<ExecutionResult>> finish_active();
  [[nodiscard]] ExecutionResult early_end() const;
  void record_last_exit(const ProcessRecord& record);
  static Async<void> run_process(std::shared_ptr<CommandWork> self, ProcessAttempt process);
  Async<ProcessRecord> try_process(ProcessAttempt process);
  Async<void> await_exit(ProcessRecord& record, std::shared_ptr<SupervisedProcess> program);
  [[nodiscard]] LaunchSpec launch_spec_of(ProcessAttempt process) const;
  [[nodiscard]] bool is_ending() const { return halt_ && *halt_ != Halt::pause; }
  Async<Status> note(ProcessRecord record);

  RunParts parts_;
  const Job job_;
  RunId run_;
  std::vector<ProcessRecord> before_;
  CompletionPlan plan_;
  std::function<void()> on_started_;
  std::map<ProcessAttempt, std::shared_ptr<SupervisedProcess>> running_;
  std::optional<Halt> halt_;
  bool is_forced_ = false;
  bool is_decided_ = false;   // running processes are not needed any more
  ProgramExit last_exit_{};   // of the last process that failed or was stopped, else succeeded
  std::string last_problem_;  // of the same process
  bool has_failure_ = false;  // that process failed
  std::optional<Error> journal_error_;
  std::minstd_rand chance_;
  unsigned revision_ = 0;
  WakeSignal changed_;
};

}  // namespace heddle::commands
