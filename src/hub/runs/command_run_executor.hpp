// CommandRunExecutor executes runs with processes or hooks: command and service jobs, and page jobs
// with hooks. It passes other runs on to PageRunExecutor. Single event loop; everything passed in
// outlives it.
#pragma once

#include <functional>
#include <map>
#include <memory>

#include "base/async.hpp"
#include "base/result.hpp"
#include "base/wake_signal.hpp"
#include "commands/hooked_run.hpp"
#include "commands/retrying_journal.hpp"
#include "commands/run_parts.hpp"
#include "hub/runs/counting_journal.hpp"
#include "hub/runs/page_run_executor.hpp"
#include "hub/runs/run_executor.hpp"
#include "store/store.hpp"

namespace heddle::hub {

struct CommandRunExecutorParts {
  PageRunExecutor& pages;
  store::Store& store;
  store::RunJournal& journal;
  ProcessCounts& counts;
  commands::LaunchContext& environment;
  const Clock& clock;
  Log& log;
  // Retries while the store is not writable. False: runs fail, because a user waits for them.
  bool waits_for_store = true;
};

class CommandRunExecutor final : public RunExecutor {
 public:
  CommandRunExecutor(boost::asio::any_io_executor loop, CommandRunExecutorParts parts);

  Async<Result<bool>> prepare(Job job, Run run, std::function<void()> on_registered) override;
  Async<Result<ExecutionResult>> execute(Job job, Run run, RunObserver* observer,
                                         std::function<void()> on_registered) override;
  bool halt(const RunId& run, Halt how) override;
  [[nodiscard]] bool has_stages(const Job& job) const override;

  // Asks programs to end; active hooks may finish.
  void shut_down();
  // Returns when no run is active, or at the deadline.
  Async<void> idle(Deadline deadline);
  // Kills what is left; the next daemon resumes the runs.
  void kill_all();
  void cancel_all() { halt_all(Halt::cancel); }
  [[nodiscard]] std::size_t under_way() const { return runs_.size(); }

 private:
  using HookedRun = commands::HookedRun;
  class PageWork;
  struct Active;

  // Registers the run, unless prepare() has.
  std::shared_ptr<Active> open(const Job& job, const Run& run);
  Async<Result<ExecutionResult>> store_end(RunId id, ExecutionResult result);
  commands::HookedRun::MakeWork make_work(const std::shared_ptr<Active>& active,
                                          RunObserver* observer);
  void close(const RunId& run);
  void halt_all(Halt how);

  CommandRunExecutorParts parts_;
  bool is_shutting_down_ = false;
  CountingJournal counting_journal_;
  commands::RetryingJournal retrying_journal_;
  commands::RunParts run_parts_;
  std::map<RunId, std::shared_ptr<Active>> runs_;
  WakeSignal run_ended_;
};

}  // namespace heddle::hub
