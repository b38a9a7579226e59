#include "app/daemon/daemon_service.hpp"

#include <algorithm>
#include <csignal>
#include <optional>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/client/dead_letters.hpp"
#include "app/client/engine.hpp"
#include "app/client/offline_jobs.hpp"
#include "app/project/local_days.hpp"
#include "base/rethrow_bug.hpp"
#include "base/run_concurrently.hpp"

namespace heddle::app {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::milliseconds kOutboxPause{1000};
constexpr std::chrono::milliseconds kAnswerTime{500};
// Concurrent actions, so that the store writes them in one transaction.
constexpr std::size_t kActionBatch = 256;
constexpr const char* kWaits = "its run waits for a place (limits.runs_in_parallel)";
constexpr const char* kUnwritten =
    "taken: it holds from now on and will be written when the disk allows; should the daemon die "
    "before that, the former state is back";

// Follows links. Returns 0 when there is no such file.
ino_t inode_behind(const std::filesystem::path& file) {
  struct stat facts {};
  return stat(file.c_str(), &facts) == 0 ? facts.st_ino : 0;
}

ipc::WorkerStatus to_status(const supervise::SlotStatus& slot,
                            const hub::RunDispatcher& dispatcher) {
  ipc::WorkerStatus status;
  status.name = slot.name;
  status.number = slot.number;
  status.pid = slot.pid;
  status.occurrence = slot.slot.occurrence;
  status.state = supervise::name_of(slot.state);
  status.uptime = slot.uptime;
  status.rss_bytes = slot.rss_bytes;
  status.restarts_in_window = slot.restarts_in_window;
  for (const JobId& job : dispatcher.jobs_at(slot.slot)) status.jobs.push_back(job.text);
  if (const Job* job = dispatcher.job_of_mark(slot.working_on)) status.working_on = job->id.text;
  if (slot.last_event) {
    status.last_event = supervise::name_of(slot.last_event->kind);
    status.last_event_at = slot.last_event->time;
    status.last_event_detail = slot.last_event->detail;
  }
  return status;
}

}  // namespace

hub::SchedulerRules scheduler_rules(const Project& project) {
  hub::SchedulerRules rules;
  rules.runs_in_parallel = static_cast<std::size_t>(project.runs_in_parallel);
  rules.misfire_spread = project.daemon.misfire_spread;
  return rules;
}

hub::SymptomRules symptom_rules(const Project& project, const CoordinatorRuntime& coordinator) {
  hub::SymptomRules rules;
  rules.processes = coordinator.processes();
  rules.max_restarts = static_cast<std::size_t>(project.recovery.max_restarts);
  rules.stuck_after = project.alerts.stuck_after;
  return rules;
}

DaemonService::DaemonService(asio::io_context& loop, Project project, DaemonParts parts)
    : loop_(loop),
      project_(std::move(project)),
      coordinator_(std::move(parts.coordinator)),
      log_(parts.log),
      processes_(std::move(parts.processes)),
      on_settings_(std::move(parts.on_settings)),
      source_(project_.root, project_.settings_text, parts.environment),
      outbox_(
          coordinator_->store(), [this] { return coordinator_->client(); }, project_,
          coordinator_->clock(), log_),
      scheduler_(loop.get_executor(), scheduler_parts(parts.environment),
                 scheduler_rules(project_)),
      disk_(project_.data_dir),
      housekeeper_({coordinator_->history(), coordinator_->clock(), log_,
                    local_days(project_.timezone, parts.environment, log_)},
                   project_.retention),
      storage_({coordinator_->history(), coordinator_->clock(), log_,
                [this] { return disk_.measure(); }, [this] { return disk_size(project_.data_dir); },
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
          alerts_, symptom_rules(project_, *coordinator_)) {}

bool DaemonService::may_run(const JobId& job) const {
  const JobStatus* status = scheduler_.status_store().find(job);
  return status != nullptr && status->state != JobState::stopped &&
         status->state != JobState::archived;
}

hub::SchedulerParts DaemonService::scheduler_parts(const config::Environment& environment) {
  hub::SchedulerParts parts{hub::RunExecutors(coordinator_->executor()), coordinator_->store(),
                            coordinator_->clock(), log_, environment.zoneinfo};
  parts.on_messages_due = [this] { outbox_wake_.notify(); };
  parts.on_run_ended = [this](const hub::FinishedRun& finished) {
    coordinator_->metrics().note_run_end(finished);
    system_.note_run_end(finished.run);
  };
  parts.on_start_lag = [this](std::chrono::milliseconds late) {
    coordinator_->metrics().schedule_lag.observe(late);
  };
  return parts;
}

Async<Status> DaemonService::load() {
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

Async<bool> DaemonService::shut_down(hub::ControlServer& control, Deadline deadline) {
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
    log_.warn(fmt::format("{} (pid {}) did not leave in time and was killed", straggler.name,
                          straggler.pid));
  co_await scheduler_.idle();
  while (is_reloading_) co_await reloaded_.wait();
  co_await control.drain(std::chrono::steady_clock::now() + kAnswerTime);
  co_return true;
}

// Sends due messages until shutdown; does not wait for slow receivers.
Async<void> DaemonService::deliver() {
  while (!is_shutting_down_) {
    const auto begun = co_await outbox_.begin_due();
    if (!begun) log_.warn("messages: " + begun.error().message);
    if (!has_lost_database_ && !is_same_database()) shut_down_without_database();
    co_await outbox_wake_.wait(std::chrono::steady_clock::now() + kOutboxPause);
  }
}

Async<void> DaemonService::sweep_temp_files() {
  ProjectFolders folders{project_.root, project_.data_dir};
  const auto gone = co_await disk_.sweep_temp_files(std::move(folders));
  for (const auto& file : gone)
    log_.info("removed " + file.string() + ", left by a process that died");
}

Async<void> DaemonService::after_housekeeping() {
  const auto archived = co_await scheduler_.archive_idle(project_.retention.archive_after);
  if (archived > 0)
    log_.info(fmt::format("{} job{} archived: nothing happened to {} for `retention.archive_after`",
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
             "leaves");
  raise(SIGTERM);
}

ipc::DaemonStatus DaemonService::status() {
  ipc::DaemonStatus status;
  status.pid = getpid();
  status.version = HEDDLE_VERSION;
  status.uptime = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - started_);
  status.jobs = project_.jobs.size();
  status.runs_under_way = scheduler_.runs_under_way();
  status.loop_latency = latency_.worst();
  status.database_bytes = database_bytes();
  status.storage_used = storage_.state().used;
  status.storage_limit = storage_.state().limit;
  status.storage_level = hub::to_text(storage_.state().level);
  for (const supervise::SlotStatus& slot : coordinator_->supervisor().status())
    status.workers.push_back(to_status(slot, coordinator_->dispatcher()));
  std::stable_sort(status.workers.begin(), status.workers.end(),
                   [](const auto& a, const auto& b) { return a.number < b.number; });
  return status;
}

Status DaemonService::restart_worker(int number) {
  // The last worker with that number: an earlier one is being retired.
  std::optional<supervise::SlotId> found;
  for (const supervise::SlotStatus& slot : coordinator_->supervisor().status())
    if (slot.number == number) found = slot.slot.slot;
  if (found) return coordinator_->supervisor().replace(*found);
  return Error{ErrorCode::not_found, fmt::format("there is no worker {}", number)};
}

Async<Result<ipc::FollowedRun>> DaemonService::run_job(ipc::RunJob request,
                                                       hub::RunObserver& follower,
                                                       std::function<void(const Run&)> on_begun) {
  auto known = co_await reload_if_stale(request);
  if (!known) co_return std::move(known).error();
  const JobId job{request.job};
  auto finished = co_await run_requested(std::move(request), follower, std::move(on_begun));
  if (!finished) co_return std::move(finished).error();
  ipc::FollowedRun followed;
  followed.run = std::move(finished->run);
  followed.costs = finished->costs;
  followed.is_interrupted = finished->is_interrupted;
  JobId reported_job = job;
  auto delivered =
      co_await outbox_.deliver_after_run(std::move(reported_job), Outbox::Await::of_the_job);
  followed.messages_waiting = delivered.messages.waiting;
  followed.messages_sent = delivered.messages.sent;
  followed.messages_dead = delivered.messages.dead;
  followed.message_errors = std::move(delivered.errors);
  co_return followed;
}

Async<Result<hub::FinishedRun>> DaemonService::run_requested(
    ipc::RunJob request, hub::RunObserver& follower, std::function<void(const Run&)> on_begun) {
  JobId job{std::move(request.job)};
  if (request.dead_letters.empty())
    co_return co_await scheduler_.run_now(std::move(job), &follower, std::move(on_begun));
  co_return co_await scheduler_.retry_dead_letters(std::move(job), std::move(request.dead_letters),
                                                   &follower, std::move(on_begun));
}

Async<Result<ipc::DeadLettersDone>> DaemonService::act_on_dead_letters(
    ipc::ActOnDeadLetters request) {
  auto done = co_await apply_dead_letter_action(coordinator_->store(), coordinator_->clock(),
                                                std::move(request));
  outbox_wake_.notify();
  co_return done;
}

// The client has just read the job's file, so the daemon must run that version.
Async<Status> DaemonService::reload_if_stale(const ipc::RunJob& request) {
  const Job* job = scheduler_.find_job(JobId{request.job});
  if (job == nullptr || job->revision != request.revision) {
    const auto reloaded = co_await reload(false);
    if (!reloaded) co_return reloaded.error();
  }
  if (scheduler_.find_job(JobId{request.job}) != nullptr) co_return Done{};
  co_return Error{ErrorCode::not_found,
                  "the daemon finds no job '" + request.job +
                      "': it reads the project with its own environment, or the job has mistakes "
                      "there (see its log, then start it again)"};
}

void DaemonService::cancel(const RunId& run) {
  for (const auto& [job, status] : scheduler_.status_store().all()) {
    if (status.run != run) continue;
    asio::co_spawn(loop_, cancel_run(job), rethrow_bug);
    return;
  }
}

Async<void> DaemonService::cancel_run(JobId job) {
  const auto cancelled = co_await scheduler_.act(std::move(job), lifecycle::JobAction::cancel);
  if (!cancelled) log_.info(cancelled.error().message);
}

Async<Result<std::vector<ipc::JobActionResult>>> DaemonService::act(ipc::ActOnJobs request) {
  if (request.action == lifecycle::kDeleteAction) {
    auto deleting = delete_jobs(std::move(request.jobs));
    co_return co_await std::move(deleting);
  }
  const auto action = lifecycle::job_action_from(request.action);
  if (!action || !lifecycle::is_user_action(*action))
    co_return Error{ErrorCode::bad_input, "unknown action '" + request.action + "'"};
  std::vector<ipc::JobActionResult> answers(request.jobs.size());
  std::function<Async<void>(std::size_t)> one = [&](std::size_t index) {
    answers[index].job = std::move(request.jobs[index]);
    return act_on(answers[index], *action, request.force);
  };
  co_await run_concurrently(answers.size(), kActionBatch, std::move(one));
  co_return answers;
}

Async<std::vector<ipc::JobActionResult>> DaemonService::delete_jobs(std::vector<std::string> jobs) {
  std::vector<ipc::JobActionResult> answers(jobs.size());
  std::function<Async<void>(std::size_t)> one = [&](std::size_t index) {
    answers[index].job = std::move(jobs[index]);
    return delete_job(answers[index]);
  };
  co_await run_concurrently(answers.size(), kActionBatch, std::move(one));
  housekeeper_.wake();
  co_return answers;
}

Async<void> DaemonService::delete_job(ipc::JobActionResult& answer) {
  JobId job{answer.job};
  const auto removed = co_await scheduler_.remove(std::move(job));
  if (!removed) {
    answer.error = removed.error().message;
    co_return;
  }
  answer.state = kDeleted;
  // Forget the former version, so that a broken file cannot bring the job back.
  std::erase_if(project_.jobs, [&answer](const Job& each) { return each.id.text == answer.job; });
  log_.info("job '" + answer.job + "' is deleted; what it stored goes in the background");
  auto folder = data_folder_of(project_, answer.job);
  const auto emptied = co_await disk_.remove(std::move(folder));
  if (!emptied) log_.warn(emptied.error().message);
}

Async<void> DaemonService::act_on(ipc::JobActionResult& answer, lifecycle::JobAction action,
                                  bool force) {
  JobId job{answer.job};
  const auto status = co_await scheduler_.act(std::move(job), action, force);
  if (status) {
    answer.state = to_text(status->state);
    if (status->queued_run) answer.remark = kWaits;
    if (scheduler_.has_pending_write(JobId{answer.job})) answer.remark = kUnwritten;
  } else
    answer.error = status.error().message;
}

}  // namespace heddle::app
