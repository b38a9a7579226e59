// What the daemon does all day: drives the project's jobs, sends messages, takes up changed files
// and answers commands. One event loop; everything it is given outlives it.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <sys/types.h>

#include "app/coordinator.hpp"
#include "app/disk_usage.hpp"
#include "app/outbox.hpp"
#include "app/project_source.hpp"
#include "base/async.hpp"
#include "base/doorbell.hpp"
#include "base/log.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "hub/alert_book.hpp"
#include "hub/control_server.hpp"
#include "hub/file_watch.hpp"
#include "hub/housekeeper.hpp"
#include "hub/job_driver.hpp"
#include "hub/loop_latency.hpp"
#include "hub/storage_watch.hpp"
#include "hub/system_watch.hpp"
#include "hub/worker_diary.hpp"

namespace heddle::app {

hub::DriverRules driver_rules(const Project& project);
hub::SymptomRules symptom_rules(const Project& project, const Coordinator& coordinator);

// What the daemon is given besides its project.
struct DaemonParts {
  std::unique_ptr<Coordinator> coordinator;
  const config::Environment& environment;
  Log& log;
  std::function<int(const Project&)> processes;     // how many workers there are to be
  std::function<void(const Project&)> on_settings;  // they are taken up
};

class DaemonService final : public hub::ControlService {
 public:
  DaemonService(boost::asio::io_context& loop, Project project, DaemonParts parts);

  // Takes up the jobs and what a former daemon left of them.
  Async<Status> begin();
  // Starts everything that goes on until leave().
  void go_on();
  // Who has not left at the deadline is killed. Returns when all have left, nothing is written any
  // more and those who asked something know the answer; a locked database may hold that up.
  Async<bool> leave(hub::ControlServer& control, Deadline deadline);
  // By the settings of now.
  [[nodiscard]] std::chrono::milliseconds shutdown_timeout() const {
    return project_.daemon.shutdown_timeout;
  }

  ipc::DaemonStatus status() override;
  ipc::MetricsText metrics() override;
  Status restart_worker(int number) override;
  Async<Result<ipc::FollowedRun>> run_job(ipc::RunJob wanted, hub::RunFollower& follower,
                                          std::function<void(const Run&)> on_begun) override;
  void cancel(const RunId& run) override;
  Async<Result<std::vector<ipc::JobAnswer>>> act(ipc::ActOnJobs wanted) override;
  Async<Result<ipc::ReloadReport>> reload(bool is_trial) override;
  Async<Result<ipc::LettersDone>> act_on_letters(ipc::ActOnLetters wanted) override;
  // The files have changed, or somebody asked for it with a signal.
  void reload_soon();

  // A worker was started or has died.
  void note_worker(const supervise::ProcessEvent& event);
  // Who keeps the alerts of the whole system, for those who see to its storage.
  hub::SystemWatch& system() { return system_; }

  Coordinator& coordinator() { return *coordinator_; }
  [[nodiscard]] bool has_lost_database() const { return has_lost_database_; }

 private:
  hub::DriverParts driver_parts(const config::Environment& environment);
  hub::MachineFacts machine_facts();
  [[nodiscard]] bool may_run(const JobId& job) const;
  [[nodiscard]] std::int64_t database_bytes() const;
  Async<void> deliver();
  Async<void> sweep_leftovers();
  Async<void> after_round();
  Async<void> on_storage_level(hub::StorageState state);
  Async<std::vector<ipc::JobAnswer>> delete_jobs(std::vector<std::string> jobs);
  Async<void> delete_job(ipc::JobAnswer& answer);
  void watch_or_not();
  Async<void> watch_files(std::shared_ptr<hub::FileWatch> watch);
  Async<void> reload_and_report();
  Async<void> cancel_run(JobId job);
  Async<void> act_on(ipc::JobAnswer& answer, lifecycle::JobAction action, bool at_once);
  Async<Status> take_up(ReadProject read);
  Async<Status> note_reload();
  Status take_up_settings(ReadProject& read);
  void tell_settings(const std::vector<config::SettingChange>& changes);
  Async<Result<hub::FinishedRun>> run_wanted(ipc::RunJob wanted, hub::RunFollower& follower,
                                             std::function<void(const Run&)> on_begun);
  Async<Status> catch_up_with(const ipc::RunJob& wanted);
  [[nodiscard]] const Job* former_version(const BrokenJob& broken) const;
  [[nodiscard]] ipc::ReloadReport compare(const ReadProject& read) const;
  [[nodiscard]] bool is_same_database() const;
  void leave_without_database();

  boost::asio::io_context& loop_;
  Project project_;
  std::unique_ptr<Coordinator> coordinator_;
  Log& log_;
  std::function<int(const Project&)> processes_;
  std::function<void(const Project&)> on_settings_;
  ProjectSource source_;
  Outbox outbox_;
  hub::JobDriver driver_;
  DiskUsage disk_;
  hub::Housekeeper housekeeper_;
  hub::StorageWatch storage_;
  std::shared_ptr<hub::FileWatch> watch_;  // nullptr: files are read when asked for
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  const ino_t database_inode_;
  bool has_lost_database_ = false;
  bool is_leaving_ = false;
  bool is_reloading_ = false;
  std::vector<config::SettingChange> told_for_later_;  // what only the next daemon takes up
  hub::LoopLatency latency_;
  hub::WorkerDiary diary_;
  Doorbell look_at_outbox_;
  hub::AlertBook alerts_;
  hub::SystemWatch system_;
  Doorbell reloaded_;
};

}  // namespace heddle::app
