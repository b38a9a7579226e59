// CoordinatorRuntime owns a project's database, keeps its worker processes running and assigns runs
// to them. It parses no untrusted input. Main thread only: its workers end with that thread.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "base/async.hpp"
#include "base/log/log.hpp"
#include "base/result.hpp"
#include "hub/health/metrics.hpp"
#include "hub/runs/command_run_executor.hpp"
#include "model/job/job.hpp"
#include "net/client.hpp"
#include "net/hosts/local_host_gate.hpp"
#include "process/tree/inherited_processes.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "supervise/supervisor.hpp"

namespace boost::asio {
class io_context;
}

namespace heddle::app {

struct CoordinatorSettings {
  int processes = 1;
  bool waits_for_store = true;    // see SchedulerRules
  bool has_spare = false;         // keep a spare process, and a separate one for suspect jobs
  std::filesystem::path program;  // the workers' executable; empty: this program
};

class CoordinatorRuntime {
 public:
  // The caller holds the project's lock until this is destroyed.
  static Result<std::unique_ptr<CoordinatorRuntime>> open(boost::asio::io_context& loop,
                                                          Project project,
                                                          const CoordinatorSettings& settings,
                                                          Log& log);
  CoordinatorRuntime(const CoordinatorRuntime&) = delete;
  CoordinatorRuntime& operator=(const CoordinatorRuntime&) = delete;

  // Fails when no worker could be started. The supervisor retries each one by the project's
  // [recovery] rules in any case.
  Status start();

  // Applies new project settings; ignores the project's jobs. With `renew_workers`, workers get no
  // new runs, finish their pages and are replaced one for one. On failure nothing has changed.
  Status apply_settings(Project project, int processes, bool renew_workers);

  // Redacts these secrets in the output of programs from now on.
  void set_secrets(std::vector<std::string> secrets);

  // Executes runs of any kind of job.
  [[nodiscard]] hub::CommandRunExecutor& executor() { return *executor_; }
  // Runs of pages only, without hooks.
  [[nodiscard]] hub::PageRunExecutor& page_executor() { return page_executor_; }
  [[nodiscard]] hub::RunDispatcher& dispatcher() { return dispatcher_; }
  [[nodiscard]] store::Store& store() { return *store_; }
  [[nodiscard]] store::History& history() { return *store_; }
  [[nodiscard]] supervise::Supervisor& supervisor() { return supervisor_; }
  [[nodiscard]] const Clock& clock() const { return clock_; }
  [[nodiscard]] hub::Metrics& metrics() { return *metrics_; }
  // Worker slots, without the one for suspect jobs.
  [[nodiscard]] std::size_t processes() const { return slots_.size(); }
  // The HTTP client for messages with the current settings. A sender holds it while it sends.
  [[nodiscard]] std::shared_ptr<net::Client> client() { return client_; }

  // Interrupts active runs and lets workers finish their pages. Returns after every worker has
  // exited or was killed at the deadline and all writes are done.
  Async<supervise::StopReport> shut_down(Deadline deadline);

 private:
  struct WorkerLaunch;
  CoordinatorRuntime(boost::asio::io_context& loop, Project project,
                     std::unique_ptr<store::SqliteStore> store, std::unique_ptr<net::Client> client,
                     Log& log);
  void add_executor(bool waits_for_store, Log& log);
  [[nodiscard]] supervise::SlotSpec spec_of(int number) const;
  [[nodiscard]] supervise::SlotSpec isolated_spec() const;
  void add_slots(int processes);
  void change_slots(int processes, bool renew);

  process::SubreaperScope subreaper_;  // kills what killed shepherds leave to this process
  boost::asio::io_context& loop_;
  Project project_;                       // without its jobs
  std::shared_ptr<WorkerLaunch> launch_;  // shared with the specs
  bool has_spare_ = false;
  SystemClock clock_;
  std::unique_ptr<store::SqliteStore> store_;
  std::shared_ptr<net::Client> client_;  // shared with messages that are being sent
  net::LocalHostGate gate_;
  hub::RunDispatcher dispatcher_;
  supervise::Supervisor supervisor_;
  hub::PageRunExecutor page_executor_;
  commands::OutputLog output_log_;
  commands::LaunchContext process_environment_{{}, {}, output_log_};
  std::unique_ptr<hub::CommandRunExecutor> executor_;
  std::vector<supervise::SlotId> slots_;
  std::optional<supervise::SlotId> isolated_;
  std::shared_ptr<hub::Metrics> metrics_;  // shared with the store's writer
};

}  // namespace heddle::app
