#include "app/daemon/daemon_service.hpp"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <optional>
#include <thread>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/daemon/disk_usage.hpp"
#include "app/maintenance/temp_file_sweep.hpp"
#include "app/project/local_days.hpp"
#include "app/project/project_databases.hpp"
#include "base/environment_variable.hpp"
#include "base/rethrow_bug.hpp"

namespace heddle::app {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::milliseconds kOutboxPause{1000};
constexpr std::chrono::milliseconds kAnswerTime{500};
// Follows links. Returns 0 when there is no such file.
ino_t inode_behind(const std::filesystem::path& file) {
  struct stat facts {};
  return stat(file.c_str(), &facts) == 0 ? facts.st_ino : 0;
}

}  // namespace

std::optional<int> spyweb_threads(const std::optional<std::string>& value) {
  if (!value || value->empty()) return std::nullopt;
  int threads = 0;
  const auto [end, problem] =
      std::from_chars(value->data(), value->data() + value->size(), threads);
  if (problem != std::errc() || end != value->data() + value->size() || threads < 0)
    return std::nullopt;
  return std::clamp(threads, 1, 64);
}

int worker_count(const Project& project, const cli::UpOptions& options) {
  if (options.processes > 0) return options.processes;
  if (project.daemon.processes > 0) return project.daemon.processes;
  if (const auto threads = spyweb_threads(environment_variable("SPYWEB_THREADS"))) return *threads;
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

hub::SchedulerRules scheduler_rules(const Project& project) {
  return {.runs_in_parallel = static_cast<std::size_t>(project.runs_in_parallel),
          .misfire_spread = project.daemon.misfire_spread};
}

hub::SymptomRules symptom_rules(const Project& project, const CoordinatorRuntime& coordinator) {
  return {.processes = coordinator.processes(),
          .max_restarts = static_cast<std::size_t>(project.recovery.max_restarts),
          .stuck_after = project.alerts.stuck_after};
}

DaemonService::DaemonService(asio::io_context& loop, Project project, DaemonParts parts)
    : loop_(loop),
      project_(std::move(project)),
      coordinator_(std::move(parts.coordinator)),
      log_(parts.log),
      options_(parts.options),
      on_settings_(std::move(parts.on_settings)),
      source_(project_.root, project_.settings_text, parts.environment),
      outbox_(*coordinator_, project_, log_),
      clock_monitor_(coordinator_->store(), coordinator_->clock()),
      scheduler_(loop.get_executor(), scheduler_parts(parts.environment),
                 scheduler_rules(project_)),
      housekeeper_({coordinator_->history(), coordinator_->clock(), log_,
                    local_days(project_.timezone, parts.environment, log_),
                    [this] { return clock_monitor_.can_trust_ages(); }},
                   project_.retention),
      storage_({coordinator_->history(), coordinator_->clock(), log_,
                [this] {
                  return disk_thread_.run(
                      [folders = storage_folders(project_)] { return measure_folders(folders); });
                },
                [this] { return disk_size(project_.data_dir); },
                [this] { return disk_free(project_.data_dir); },
                [this](hub::StorageState state) { return on_storage_level(state); }},
               project_.storage),
      database_inode_(inode_behind(database_file(project_))),
      worker_events_(loop.get_executor(), coordinator_->history(), log_),
      alerts_(coordinator_->store(), log_, {project_.alerts.to, project_.channels},
              [this] { outbox_wake_.notify(); }),
      system_(
          {coordinator_->store(), coordinator_->clock(), log_, [this] { return machine_facts(); },
           [this](const JobId& job) { return may_run(job); }},
          alerts_, symptom_rules(project_, *coordinator_)) {
  add_verbs();
}

bool DaemonService::may_run(const JobId& job) const {
  const JobStatus* status = scheduler_.status_store().find(job);
  return status != nullptr && status->state != JobState::stopped &&
         status->state != JobState::archived;
}

hub::SchedulerParts DaemonService::scheduler_parts(const config::Environment& environment) {
  hub::SchedulerParts parts{coordinator_->executor(), coordinator_->store(), coordinator_->clock(),
                            log_, environment.zoneinfo};
  parts.clear_crashes = [this](const JobId& job) {
    coordinator_->dispatcher().crash_tracker().clear(job);
  };
  parts.on_messages_due = [this] { outbox_wake_.notify(); };
  parts.on_run_ended = [this](const ExecutionResult& finished) {
    coordinator_->metrics().note_run_end(finished);
    system_.note_run_end(finished.run);
  };
  parts.on_start_lag = [this](std::chrono::milliseconds late) {
    coordinator_->metrics().schedule_lag.observe(late);
  };
  return parts;
}

Async<Status> DaemonService::load() {
  auto waits = co_await clock_monitor_.start();
  if (!waits)
    log_.warn("cannot adjust the times of the next retries to the changed system clock: " +
              waits.error().message);
  auto loaded = co_await scheduler_.load();
  if (!loaded) co_return loaded;
  auto alerts = co_await alerts_.load();
  if (!alerts) co_return alerts;
  auto watched = co_await storage_.begin();
  if (!watched) log_.warn("storage: " + watched.error().message);
  std::vector<Job> jobs = project_.jobs;
  auto adopted = co_await scheduler_.configure_jobs(std::move(jobs));
  if (!adopted) co_return adopted;
  // Again, now that the jobs are known: a former daemon may have exited before it applied the
  // level.
  co_await on_storage_level(storage_.state());
  co_return co_await scheduler_.recover();
}

void DaemonService::start_services() {
  update_file_watch();
  asio::co_spawn(loop_, deliver(), rethrow_bug);
  asio::co_spawn(loop_, latency_.watch(), rethrow_bug);
  asio::co_spawn(loop_, system_.watch(), rethrow_bug);
  asio::co_spawn(loop_, scheduler_.run_schedule(), rethrow_bug);
  asio::co_spawn(loop_, sweep_temp_files(), rethrow_bug);
  asio::co_spawn(loop_, storage_.watch(), rethrow_bug);
  asio::co_spawn(loop_, housekeeper_.run([this] { return after_housekeeping(); }), rethrow_bug);
}

Async<void> DaemonService::shut_down(control::ControlServer& control, Deadline deadline) {
  is_shutting_down_ = true;
  outbox_wake_.notify();
  scheduler_.shut_down();
  latency_.stop();
  system_.stop();
  housekeeper_.stop();
  storage_.stop();
  if (watch_) watch_->close();
  const auto report = co_await coordinator_->shut_down(deadline);
  for (const supervise::Straggler& straggler : report.killed)
    log_.warn(fmt::format("{} (pid {}) did not exit in time and was killed", straggler.name,
                          straggler.pid));
  co_await scheduler_.idle();
  while (is_reloading_) co_await reloaded_.wait();
  co_await control.drain(std::chrono::steady_clock::now() + kAnswerTime);
}

void DaemonService::record_worker_event(const supervise::SlotEvent& event) {
  hub::Metrics& metrics = coordinator_->metrics();
  if (event.kind == supervise::SlotEventKind::started) ++metrics.worker_starts;
  if (event.kind == supervise::SlotEventKind::crash ||
      event.kind == supervise::SlotEventKind::unpublished)
    ++metrics.worker_deaths;
  const Job* job = coordinator_->dispatcher().job_of_mark(event.working_on);
  worker_events_.record(event, job == nullptr ? std::string() : job->id.text);
}

hub::MachineFacts DaemonService::machine_facts() {
  hub::MachineFacts facts;
  for (const supervise::SlotStatus& slot : coordinator_->supervisor().status()) {
    if (!supervise::runs_jobs(slot.kind)) continue;
    if (slot.state == supervise::SlotState::idle)
      continue;  // the slot for suspect jobs while there are none
    facts.workers.push_back(
        {slot.name, slot.restarts_in_window, slot.state == supervise::SlotState::gave_up});
  }
  facts.runs = coordinator_->dispatcher().progress();
  facts.queued = scheduler_.queued_runs();
  facts.loop_latency = latency_.worst();
  return facts;
}

std::int64_t DaemonService::database_bytes() const {
  std::error_code unknown;
  const auto bytes = std::filesystem::file_size(database_file(project_), unknown);
  return unknown ? 0 : static_cast<std::int64_t>(bytes);
}

// Sends due messages until shutdown; does not wait for slow receivers.
Async<void> DaemonService::deliver() {
  while (!is_shutting_down_) {
    const auto followed = co_await clock_monitor_.check();
    if (!followed)
      log_.warn("cannot adjust the times of the next retries to the changed system clock: " +
                followed.error().message);
    const auto begun = co_await outbox_.begin_due();
    if (!begun) log_.warn("messages: " + begun.error().message);
    if (!has_lost_database_ && !is_same_database()) shut_down_without_database();
    co_await outbox_wake_.wait(std::chrono::steady_clock::now() + kOutboxPause);
  }
}

Async<void> DaemonService::sweep_temp_files() {
  const auto sweep = [root = project_.root, data_dir = project_.data_dir] {
    return app::sweep_temp_files(root, data_dir);
  };
  const auto gone = co_await disk_thread_.run(sweep);
  for (const auto& file : gone)
    log_.info("removed " + file.string() + ", left by a process that died");
}

Async<void> DaemonService::after_housekeeping() {
  if (!clock_monitor_.can_trust_ages()) co_return;
  const auto archived = co_await scheduler_.archive_idle(project_.retention.archive_after);
  if (archived > 0)
    log_.info(fmt::format("{} job{} archived: no activity of {} for `retention.archive_after`",
                          archived, archived == 1 ? " was" : "s were",
                          archived == 1 ? "it" : "them"));
}

Async<void> DaemonService::on_storage_level(hub::StorageState state) {
  std::optional<AlertLevel> alert;
  if (state.level == hub::StorageLevel::warning) alert = AlertLevel::warning;
  if (state.level == hub::StorageLevel::full) alert = AlertLevel::critical;
  system_.note_storage(alert, hub::storage_summary(state));
  const auto held = co_await scheduler_.hold_new_runs(state.level == hub::StorageLevel::full);
  if (!held) log_.error(held.error().message);
}

// True while the open database is still the file at its path.
bool DaemonService::is_same_database() const {
  return inode_behind(database_file(project_)) == database_inode_;
}

void DaemonService::shut_down_without_database() {
  has_lost_database_ = true;
  log_.error(database_file(project_).string() +
             " was removed or replaced: what is stored from now on would be lost, so the daemon "
             "shuts down");
  raise(SIGTERM);
}

}  // namespace heddle::app
