// Keeps the program of a service running: restarts it by its ServicePlan until the run is ended.
// One event loop.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "base/wake_signal.hpp"
#include "commands/run_parts.hpp"
#include "commands/run_work.hpp"
#include "commands/service_plan.hpp"
#include "model/job/job.hpp"

namespace heddle::commands {

class ServiceWork final : public RunWork, public std::enable_shared_from_this<ServiceWork> {
 public:
  // `before`: the recorded processes of the run. `on_ready` is called whenever a process of the
  // service is ready, and not after work() has returned.
  ServiceWork(RunParts parts, const Job& job, RunId run, std::vector<ProcessRecord> before,
              std::function<void()> on_ready = nullptr);

  // `on_started` is called when the service is ready for the first time.
  Async<Result<ExecutionResult>> work(std::function<void()> on_started) override;
  void halt(Halt how) override;

 private:
  void force();
  Async<Result<ProcessRecord>> run_once(int attempt);
  Async<void> await_exit(ProcessRecord& record);
  static Async<void> watch_readiness(std::shared_ptr<ServiceWork> self,
                                     std::shared_ptr<SupervisedProcess> program,
                                     ProcessRecord record);
  Async<void> record_progress(ProcessRecord record);
  Async<void> wait(std::chrono::milliseconds pause);
  [[nodiscard]] ExecutionResult ended() const;
  [[nodiscard]] LaunchSpec launch_spec_of(int attempt) const;
  void end_program();

  RunParts parts_;
  const Job job_;
  RunId run_;
  std::vector<ProcessRecord> before_;
  ServicePlan plan_;
  std::function<void()> on_ready_;
  std::function<void()> on_started_;
  std::shared_ptr<SupervisedProcess> program_;
  bool is_ready_ = false;
  bool is_recording_progress_ = false;  // record_progress() is writing
  std::optional<Halt> halt_;
  bool is_forced_ = false;
  ProgramExit last_exit_{};
  std::minstd_rand chance_;
  WakeSignal changed_;
};

}  // namespace heddle::commands
