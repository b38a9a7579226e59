// DaemonService runs the project's jobs, sends messages, reloads changed files and serves control
// requests. One event loop; everything passed by reference outlives it.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <sys/types.h>

#include "app/daemon/background_thread.hpp"
#include "app/daemon/coordinator_runtime.hpp"
#include "app/daemon/outbox.hpp"
#include "app/project/project_source.hpp"
#include "base/async.hpp"
#include "base/log/log.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "base/wake_signal.hpp"
#include "cli/command_backend.hpp"
#include "control/server.hpp"
#include "hub/clock_monitor.hpp"
#include "hub/file_watcher.hpp"
#include "hub/health/alert_manager.hpp"
#include "hub/health/housekeeper.hpp"
#include "hub/health/loop_latency.hpp"
#include "hub/health/storage_monitor.hpp"
#include "hub/health/system_monitor.hpp"
#include "hub/jobs/job_scheduler.hpp"
#include "hub/runs/dispatch/worker_events.hpp"

namespace heddle::app {

// The number in SPYWEB_THREADS, from 1 to 64; nullopt when there is none.
std::optional<int> spyweb_threads(const std::optional<std::string>& value);
// The option of the command, else the configured number, else SPYWEB_THREADS, else one per core.
int worker_count(const Project& project, const cli::UpOptions& options);
hub::SchedulerRules scheduler_rules(const Project& project);
hub::SymptomRules symptom_rules(const Project& project, const CoordinatorRuntime& coordinator);

struct DaemonParts {
  std::unique_ptr<CoordinatorRuntime> coordinator;
  const config::Environment& environment;
  Log& log;
  cli::UpOptions options;
  std::function<void(const Project&)> on_settings;  // called after they are applied
};

class DaemonService {
 public:
  DaemonService(boost::asio::io_context& loop, Project project, DaemonParts parts);

  // Loads the jobs and recovers unfinished runs of a former daemon.
  Async<Status> load();
  // Starts the background tasks that run until shut_down().
  void start_services();
  // Kills workers that have not exited at the deadline. Returns after all have exited, all writes
  // are done and pending requests are answered; a locked database may delay that.
  Async<void> shut_down(control::ControlServer& control, Deadline deadline);
  // From the current settings.
  [[nodiscard]] std::chrono::milliseconds shutdown_timeout() const {
    return project_.daemon.shutdown_timeout;
  }

  // The handlers of the control verbs.
  [[nodiscard]] const control::VerbHandlers& verbs() const { return verbs_; }
  // Starts a reload after a file change or a signal.
  void reload_soon();

  // Records that a worker started or died.
  void record_worker_event(const supervise::SlotEvent& event);

  CoordinatorRuntime& coordinator() { return *coordinator_; }
  [[nodiscard]] bool has_lost_database() const { return has_lost_database_; }

 private:
  // The verbs (daemon_verbs.cpp).
  void add_verbs();
  control::DaemonStatus status();
  control::MetricsText metrics();
  Status restart_worker(int number);
  Async<Result<control::FollowedRun>> run_job(control::RunJob request,
                                              control::Requester& requester);
  Async<Status> reload_if_stale(const control::RunJob& request);
  Async<void> cancel(RunId run, std::string by);
  Async<Result<std::vector<control::JobActionResult>>> act_on_jobs(control::ActOnJobs request,
                                                                   std::string by);
  Async<void> act_on(control::JobActionResult& result, lifecycle::ActionRequest request);
  [[nodiscard]] std::string why_queued(const JobId& id) const;
  Async<void> delete_job(control::JobActionResult& result);
  Async<Result<control::DeadLettersDone>> act_on_dead_letters(control::ActOnDeadLetters request);
  Async<Result<control::ReloadReport>> reload(bool dry_run);

  hub::SchedulerParts scheduler_parts(const config::Environment& environment);
  hub::MachineFacts machine_facts();
  [[nodiscard]] bool may_run(const JobId& job) const;
  [[nodiscard]] std::int64_t database_bytes() const;
  Async<void> deliver();
  Async<void> sweep_temp_files();
  Async<void> after_housekeeping();
  Async<void> on_storage_level(hub::StorageState state);
  void update_file_watch();
  Async<void> watch_files(std::shared_ptr<hub::FileWatcher> watch);
  Async<void> reload_and_report();
  Async<Status> apply(ReadProject read);
  Async<Status> record_reload();
  Status apply_settings(ReadProject& read);
  void log_misnamed(const std::vector<std::string>& files);
  void log_invalid_files(const std::vector<control::InvalidFile>& files);
  void log_settings(const std::vector<config::SettingChange>& changes);
  [[nodiscard]] const Job* former_version(const BrokenJob& broken) const;
  [[nodiscard]] control::ReloadReport compare(const ReadProject& read) const;
  [[nodiscard]] bool is_same_database() const;
  void shut_down_without_database();

  boost::asio::io_context& loop_;
  control::VerbHandlers verbs_;
  Project project_;
  std::unique_ptr<CoordinatorRuntime> coordinator_;
  Log& log_;
  const cli::UpOptions options_;
  std::function<void(const Project&)> on_settings_;
  ProjectSource source_;
  Outbox outbox_;
  hub::ClockMonitor clock_monitor_;
  hub::JobScheduler scheduler_;
  BackgroundThread disk_thread_;
  hub::Housekeeper housekeeper_;
  hub::StorageMonitor storage_;
  std::shared_ptr<hub::FileWatcher> watch_;  // nullptr: reload on request only
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  const ino_t database_inode_;
  bool has_lost_database_ = false;
  bool is_shutting_down_ = false;
  bool is_reloading_ = false;
  std::vector<config::SettingChange>
      reported_for_next_start_;                 // changes that only the next daemon applies
  std::vector<std::string> reported_misnamed_;  // files that no job is made of
  std::set<std::string> reported_mistakes_;     // of files of jobs
  hub::LoopLatency latency_;
  hub::WorkerEventHistory worker_events_;
  WakeSignal outbox_wake_;
  hub::AlertManager alerts_;
  hub::SystemMonitor system_;
  WakeSignal reloaded_;
};

}  // namespace heddle::app
