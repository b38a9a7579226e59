// CoordinatorRuntime owns a project's database, keeps its worker processes running and assigns runs
// to them. It parses no untrusted input. Main thread only: its workers end with that thread.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/log/log.hpp"
#include "base/result.hpp"
#include "hub/health/metrics.hpp"
#include "hub/runs/command_run_executor.hpp"
#include "model/job/job.hpp"
#include "net/client.hpp"
#include "store/history.hpp"
#include "supervise/slot_spec.hpp"
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
  ~CoordinatorRuntime();
  CoordinatorRuntime(const CoordinatorRuntime&) = delete;
  CoordinatorRuntime& operator=(const CoordinatorRuntime&) = delete;

  // Fails when no worker could be started. The supervisor retries each one by the project's
  // [recovery] rules in any case.
  Status start();

  // Applies new project settings; ignores the project's jobs. With `renew_workers`, workers get no
  // new runs, finish their pages and are replaced one for one. On failure nothing has changed.
  Status apply_settings(Project project, int processes, bool renew_workers);

  // Executes runs of any kind of job.
  [[nodiscard]] hub::CommandRunExecutor& executor();
  [[nodiscard]] hub::PageRunExecutor& page_executor();  // runs of pages only, without hooks
  [[nodiscard]] hub::RunDispatcher& dispatcher();
  [[nodiscard]] store::Store& store();
  [[nodiscard]] store::History& history();
  [[nodiscard]] supervise::Supervisor& supervisor();
  [[nodiscard]] const Clock& clock() const;
  [[nodiscard]] hub::Metrics& metrics();
  [[nodiscard]] std::size_t processes() const;  // worker slots, without the one for suspect jobs
  // The HTTP client for messages with the current settings. A sender holds it while it sends.
  [[nodiscard]] std::shared_ptr<net::Client> client();

  // Interrupts active runs and lets workers finish their pages. Returns after every worker has
  // exited or was killed at the deadline and all writes are done.
  Async<supervise::StopReport> shut_down(Deadline deadline);

 private:
  struct Parts;
  explicit CoordinatorRuntime(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace heddle::app
