// The coordinator of a project: owns its database, keeps worker processes running and has them do
// the jobs' runs. Parses nothing that comes from outside. Main thread only: its workers end with
// it.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/log.hpp"
#include "base/result.hpp"
#include "hub/metrics.hpp"
#include "hub/program_runs.hpp"
#include "model/job.hpp"
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
  bool waits_for_store = true;    // see DriverRules
  bool has_spare = false;         // one more process is kept ready, and suspect jobs get their own
  std::filesystem::path program;  // what workers run; empty: this program
};

class Coordinator {
 public:
  // The project's lock is held by the caller, for as long as the coordinator lives.
  static Result<std::unique_ptr<Coordinator>> open(boost::asio::io_context& loop, Project project,
                                                   const CoordinatorSettings& settings, Log& log);
  ~Coordinator();
  Coordinator(const Coordinator&) = delete;
  Coordinator& operator=(const Coordinator&) = delete;

  // Fails when not even one worker could be started: for those who do not want to wait until one
  // can be. Each is tried again by the project's [recovery] rules.
  Status start();

  // Other settings for the project; its jobs are nobody's business here. Workers that
  // `renews_workers` concerns finish their pages and are replaced, one for one; they get no new
  // run any more. Nothing has changed when it fails.
  Status take_up(Project project, int processes, bool renews_workers);

  // Who has runs worked on, of any kind of job.
  [[nodiscard]] hub::ProgramRuns& runs();
  [[nodiscard]] hub::JobRuns& page_runs();  // those that are only pages
  [[nodiscard]] hub::RunDesk& desk();
  [[nodiscard]] store::Store& store();
  [[nodiscard]] store::History& history();
  [[nodiscard]] supervise::Supervisor& supervisor();
  [[nodiscard]] const Clock& clock() const;
  [[nodiscard]] hub::Metrics& metrics();
  [[nodiscard]] std::size_t processes() const;  // worker slots, but for suspect jobs
  // What sends messages, by the settings of now. Who sends holds it.
  [[nodiscard]] std::shared_ptr<net::Client> client();

  // Runs under way are interrupted, workers finish their pages; returns when all have left or were
  // killed at the deadline, and nothing is written any more.
  Async<supervise::ShutdownReport> shut_down(Deadline deadline);

 private:
  struct Parts;
  explicit Coordinator(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace heddle::app
