// The processes of a command run: as many at a time as its plan says, each written down before it
// is started and after it has ended. One event loop.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "base/doorbell.hpp"
#include "commands/completion_plan.hpp"
#include "commands/run_parts.hpp"
#include "commands/work.hpp"
#include "model/job.hpp"

namespace heddle::commands {

class CommandWork final : public Work, public std::enable_shared_from_this<CommandWork> {
 public:
  // `before`: the processes the run has had.
  CommandWork(RunParts parts, const Job& job, RunId run, std::vector<ProcessRecord> before);

  Async<Result<WorkResult>> work(std::function<void()> on_started) override;
  void end(Ending how) override;
  void force() override;

  [[nodiscard]] const CompletionPlan& plan() const { return plan_; }

 private:
  Async<void> wait_for_active();
  void end_active();
  void end_program(TendedProgram& program) const;
  void launch(const std::vector<ProcessTry>& starts);
  [[nodiscard]] WorkResult result_of(Completion completion) const;
  Async<Result<WorkResult>> come_to_rest();
  [[nodiscard]] WorkResult early_end() const;
  void keep_last_end(const ProcessRecord& record);
  static Async<void> run_process(std::shared_ptr<CommandWork> self, ProcessTry process);
  Async<ProcessRecord> try_process(ProcessTry process);
  Async<void> tend(ProcessRecord& record, std::shared_ptr<TendedProgram> program);
  [[nodiscard]] ProgramOrder order_of(ProcessTry process) const;
  [[nodiscard]] bool is_to_end() const { return ending_ && *ending_ != Ending::pause; }
  Async<Status> note(ProcessRecord record);

  RunParts parts_;
  const Job job_;
  RunId run_;
  std::vector<ProcessRecord> before_;
  CompletionPlan plan_;
  std::function<void()> on_started_;
  std::map<ProcessTry, std::shared_ptr<TendedProgram>> running_;
  std::optional<Ending> ending_;
  bool is_forced_ = false;
  bool is_decided_ = false;   // what still runs is not needed any more
  ProgramExit last_exit_{};   // of the last process that failed or was ended, or else succeeded
  std::string last_problem_;  // likewise
  bool has_failure_ = false;  // they speak of one that failed
  std::optional<Error> trouble_;
  std::minstd_rand chance_;
  unsigned ends_ = 0;
  Doorbell news_;
};

}  // namespace heddle::commands
