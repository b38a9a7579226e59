// A program that is kept running: replaced when it ends, as its plan says, until somebody ends the
// run. One event loop.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "base/doorbell.hpp"
#include "commands/run_parts.hpp"
#include "commands/service_plan.hpp"
#include "commands/work.hpp"
#include "model/job.hpp"

namespace heddle::commands {

class ServiceWork final : public Work, public std::enable_shared_from_this<ServiceWork> {
 public:
  // `before`: the processes the run has had.
  ServiceWork(RunParts parts, const Job& job, RunId run, std::vector<ProcessRecord> before);

  // `on_started` is called when it is ready for the first time.
  Async<Result<WorkResult>> work(std::function<void()> on_started) override;
  void end(Ending how) override;
  void force() override;

 private:
  Async<Result<ProcessRecord>> run_once(int attempt);
  Async<void> tend(ProcessRecord& record);
  static Async<void> watch_readiness(std::shared_ptr<ServiceWork> self,
                                     std::shared_ptr<TendedProgram> program, ProcessRecord record);
  Async<void> note_beside(ProcessRecord record);
  Async<void> wait(std::chrono::milliseconds pause);
  [[nodiscard]] WorkResult ended() const;
  [[nodiscard]] ProgramOrder order_of(int attempt) const;
  void end_program();

  RunParts parts_;
  const Job job_;
  RunId run_;
  std::vector<ProcessRecord> before_;
  ServicePlan plan_;
  std::function<void()> on_started_;
  std::shared_ptr<TendedProgram> program_;
  bool is_ready_ = false;
  bool is_noting_ = false;  // what its program is at, beside
  std::optional<Ending> ending_;
  bool is_forced_ = false;
  ProgramExit last_exit_{};
  std::minstd_rand chance_;
  Doorbell news_;
};

}  // namespace heddle::commands
