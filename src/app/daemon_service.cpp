#include "app/daemon_service.hpp"

#include <algorithm>
#include <csignal>
#include <optional>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/engine.hpp"
#include "app/letters.hpp"
#include "app/local_days.hpp"
#include "app/offline_jobs.hpp"
#include "base/do_all.hpp"
#include "base/rethrow_bug.hpp"

namespace heddle::app {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::milliseconds kOutboxPause{1000};
constexpr std::chrono::milliseconds kLastWords{500};
// So many at a time, for the store to write them together.
constexpr std::size_t kActedOnTogether = 256;
constexpr const char* kWaits = "its run waits for a place (limits.runs_in_parallel)";
constexpr const char* kUnwritten =
    "taken: it holds from now on and will be written when the disk allows; should the daemon die "
    "before that, the former state is back";

// 0: there is no such file.
ino_t inode_of(const std::filesystem::path& file) {
  struct stat facts {};
  return stat(file.c_str(), &facts) == 0 ? facts.st_ino : 0;
}

ipc::WorkerStatus to_status(const supervise::SlotStatus& slot, const hub::RunDesk& desk) {
  ipc::WorkerStatus status;
  status.name = slot.name;
  status.number = slot.number;
  status.pid = slot.pid;
  status.occurrence = slot.slot.occurrence;
  status.state = supervise::name_of(slot.state);
  status.uptime = slot.uptime;
  status.rss_bytes = slot.rss_bytes;
  status.restarts_in_window = slot.restarts_in_window;
  for (const JobId& job : desk.jobs_at(slot.slot)) status.jobs.push_back(job.text);
  if (const Job* job = desk.job_of_mark(slot.working_on)) status.working_on = job->id.text;
  if (slot.last_event) {
    status.last_event = supervise::name_of(slot.last_event->kind);
    status.last_event_at = slot.last_event->time;
    status.last_event_detail = slot.last_event->detail;
  }
  return status;
}

}  // namespace

hub::DriverRules driver_rules(const Project& project) {
  hub::DriverRules rules;
  rules.runs_in_parallel = static_cast<std::size_t>(project.runs_in_parallel);
  rules.misfire_spread = project.daemon.misfire_spread;
  return rules;
}

hub::SymptomRules symptom_rules(const Project& project, const Coordinator& coordinator) {
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
      driver_(loop.get_executor(), driver_parts(parts.environment), driver_rules(project_)),
      disk_(project_.data_dir),
      housekeeper_({coordinator_->history(), coordinator_->clock(), log_,
                    local_days(project_.timezone, parts.environment, log_)},
                   project_.retention),
      storage_({coordinator_->history(), coordinator_->clock(), log_,
                [this] { return disk_.measure(); }, [this] { return disk_size(project_.data_dir); },
                [this] { return disk_free(project_.data_dir); },
                [this](hub::StorageState state) { return on_storage_level(state); }},
               project_.storage),
      database_inode_(inode_of(database_file(project_))),
      diary_(loop.get_executor(), coordinator_->history(), log_),
      alerts_(coordinator_->store(), log_, {project_.alerts.to, project_.channels},
              [this] { look_at_outbox_.ring(); }),
      system_(
          {coordinator_->store(), coordinator_->clock(), log_, [this] { return machine_facts(); },
           [this](const JobId& job) { return may_run(job); }},
          alerts_, symptom_rules(project_, *coordinator_)) {}

bool DaemonService::may_run(const JobId& job) const {
  const JobLife* life = driver_.keeper().find(job);
  return life != nullptr && life->state != JobState::stopped && life->state != JobState::archived;
}

hub::DriverParts DaemonService::driver_parts(const config::Environment& environment) {
  hub::DriverParts parts{hub::RunOffices(coordinator_->runs()), coordinator_->store(),
                         coordinator_->clock(), log_, environment.zoneinfo};
  parts.on_run_over = [this] { look_at_outbox_.ring(); };
  parts.on_run_ended = [this](const hub::FinishedRun& finished) {
    coordinator_->metrics().note_run_end(finished);
    system_.note_run_end(finished.run);
  };
  parts.on_begun_late = [this](std::chrono::milliseconds late) {
    coordinator_->metrics().schedule_lag.observe(late);
  };
  return parts;
}

Async<Status> DaemonService::begin() {
  auto loaded = co_await driver_.load();
  if (!loaded) co_return loaded;
  auto alerts = co_await alerts_.load();
  if (!alerts) co_return alerts;
  auto watched = co_await storage_.begin();
  if (!watched) log_.warn("storage: " + watched.error().message);
  std::vector<Job> jobs = project_.jobs;
  auto adopted = co_await driver_.adopt(std::move(jobs));
  if (!adopted) co_return adopted;
  // Now that the jobs are known: a former daemon may have ended in between.
  co_await on_storage_level(storage_.state());
  co_return co_await driver_.take_up_leftovers();
}

void DaemonService::go_on() {
  watch_or_not();
  asio::co_spawn(loop_, deliver(), rethrow_bug);
  asio::co_spawn(loop_, latency_.watch(), rethrow_bug);
  asio::co_spawn(loop_, system_.watch(), rethrow_bug);
  asio::co_spawn(loop_, driver_.keep_time(), rethrow_bug);
  asio::co_spawn(loop_, sweep_leftovers(), rethrow_bug);
  asio::co_spawn(loop_, storage_.watch(), rethrow_bug);
  asio::co_spawn(loop_, housekeeper_.keep_on([this] { return after_round(); }), rethrow_bug);
}

Async<bool> DaemonService::leave(hub::ControlServer& control, Deadline deadline) {
  is_leaving_ = true;
  look_at_outbox_.ring();
  driver_.leave();
  latency_.stop();
  system_.stop();
  housekeeper_.stop();
  storage_.stop();
  if (watch_) watch_->close();
  const auto report = co_await coordinator_->shut_down(deadline);
  for (const supervise::Straggler& straggler : report.killed)
    log_.warn(fmt::format("{} (pid {}) did not leave in time and was killed", straggler.name,
                          straggler.pid));
  co_await driver_.idle();
  while (is_reloading_) co_await reloaded_.wait();
  co_await control.answered(std::chrono::steady_clock::now() + kLastWords);
  co_return true;
}

// Sends what is due, as long as the daemon lives; a receiver that hangs is not waited for.
Async<void> DaemonService::deliver() {
  while (!is_leaving_) {
    const auto begun = co_await outbox_.begin_due();
    if (!begun) log_.warn("messages: " + begun.error().message);
    if (!has_lost_database_ && !is_same_database()) leave_without_database();
    co_await look_at_outbox_.wait(std::chrono::steady_clock::now() + kOutboxPause);
  }
}

Async<void> DaemonService::sweep_leftovers() {
  ProjectFolders folders{project_.root, project_.data_dir};
  const auto gone = co_await disk_.sweep_leftovers(std::move(folders));
  for (const auto& file : gone)
    log_.info("removed " + file.string() + ", left by a process that died");
}

Async<void> DaemonService::after_round() {
  const auto archived = co_await driver_.archive_idle(project_.retention.archive_after);
  if (archived > 0)
    log_.info(fmt::format("{} job{} archived: nothing happened to {} for `retention.archive_after`",
                          archived, archived == 1 ? " was" : "s were",
                          archived == 1 ? "it" : "them"));
}

Async<void> DaemonService::on_storage_level(hub::StorageState state) {
  std::optional<AlertLevel> alert;
  if (state.level == hub::StorageLevel::warning) alert = AlertLevel::warning;
  if (state.level == hub::StorageLevel::full) alert = AlertLevel::critical;
  system_.note_storage(alert, hub::sentence_about(state));
  const auto held = co_await driver_.hold_new_runs(state.level == hub::StorageLevel::full);
  if (!held) log_.error(held.error().message);
}

// The file we write to is still the one that others find.
bool DaemonService::is_same_database() const {
  return inode_of(database_file(project_)) == database_inode_;
}

void DaemonService::leave_without_database() {
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
  status.runs_under_way = driver_.runs_under_way();
  status.loop_latency = latency_.worst();
  status.database_bytes = database_bytes();
  status.storage_used = storage_.state().used;
  status.storage_limit = storage_.state().limit;
  status.storage_level = hub::to_text(storage_.state().level);
  for (const supervise::SlotStatus& slot : coordinator_->supervisor().status())
    status.workers.push_back(to_status(slot, coordinator_->desk()));
  std::stable_sort(status.workers.begin(), status.workers.end(),
                   [](const auto& a, const auto& b) { return a.number < b.number; });
  return status;
}

Status DaemonService::restart_worker(int number) {
  // The last with that number: one before it is leaving, since there were too many.
  std::optional<supervise::SlotId> found;
  for (const supervise::SlotStatus& slot : coordinator_->supervisor().status())
    if (slot.number == number) found = slot.slot.slot;
  if (found) return coordinator_->supervisor().replace(*found);
  return Error{ErrorCode::not_found, fmt::format("there is no worker {}", number)};
}

Async<Result<ipc::FollowedRun>> DaemonService::run_job(ipc::RunJob wanted,
                                                       hub::RunFollower& follower,
                                                       std::function<void(const Run&)> on_begun) {
  auto known = co_await catch_up_with(wanted);
  if (!known) co_return std::move(known).error();
  const JobId job{wanted.job};
  auto finished = co_await run_wanted(std::move(wanted), follower, std::move(on_begun));
  if (!finished) co_return std::move(finished).error();
  ipc::FollowedRun followed;
  followed.run = std::move(finished->run);
  followed.costs = finished->costs;
  followed.is_interrupted = finished->is_interrupted;
  JobId told_of = job;
  auto told = co_await outbox_.tell_about(std::move(told_of), Outbox::Await::of_the_job);
  followed.messages_waiting = told.messages.waiting;
  followed.messages_sent = told.messages.sent;
  followed.messages_dead = told.messages.dead;
  followed.message_errors = std::move(told.errors);
  co_return followed;
}

Async<Result<hub::FinishedRun>> DaemonService::run_wanted(
    ipc::RunJob wanted, hub::RunFollower& follower, std::function<void(const Run&)> on_begun) {
  JobId job{std::move(wanted.job)};
  if (wanted.letters.empty())
    co_return co_await driver_.run_now(std::move(job), &follower, std::move(on_begun));
  co_return co_await driver_.retry_letters(std::move(job), std::move(wanted.letters), &follower,
                                           std::move(on_begun));
}

Async<Result<ipc::LettersDone>> DaemonService::act_on_letters(ipc::ActOnLetters wanted) {
  auto done = co_await carry_out(coordinator_->store(), coordinator_->clock(), std::move(wanted));
  look_at_outbox_.ring();
  co_return done;
}

// As it stands in the files now: whoever asks has just read them.
Async<Status> DaemonService::catch_up_with(const ipc::RunJob& wanted) {
  const Job* job = driver_.find_job(JobId{wanted.job});
  if (job == nullptr || job->revision != wanted.revision) {
    const auto reloaded = co_await reload(false);
    if (!reloaded) co_return reloaded.error();
  }
  if (driver_.find_job(JobId{wanted.job}) != nullptr) co_return Done{};
  co_return Error{ErrorCode::not_found,
                  "the daemon finds no job '" + wanted.job +
                      "': it reads the project with its own environment, or the job has mistakes "
                      "there (see its log, then start it again)"};
}

void DaemonService::cancel(const RunId& run) {
  for (const auto& [job, life] : driver_.keeper().all()) {
    if (life.run != run) continue;
    asio::co_spawn(loop_, cancel_run(job), rethrow_bug);
    return;
  }
}

Async<void> DaemonService::cancel_run(JobId job) {
  const auto cancelled = co_await driver_.act(std::move(job), lifecycle::JobAction::cancel);
  if (!cancelled) log_.info(cancelled.error().message);
}

Async<Result<std::vector<ipc::JobAnswer>>> DaemonService::act(ipc::ActOnJobs wanted) {
  if (wanted.action == lifecycle::kDeleteWord) {
    auto deleting = delete_jobs(std::move(wanted.jobs));
    co_return co_await std::move(deleting);
  }
  const auto action = lifecycle::job_action_from(wanted.action);
  if (!action || !lifecycle::is_asked_by_people(*action))
    co_return Error{ErrorCode::bad_input, "unknown action '" + wanted.action + "'"};
  std::vector<ipc::JobAnswer> answers(wanted.jobs.size());
  std::function<Async<void>(std::size_t)> one = [&](std::size_t index) {
    answers[index].job = std::move(wanted.jobs[index]);
    return act_on(answers[index], *action, wanted.at_once);
  };
  co_await do_all(answers.size(), kActedOnTogether, std::move(one));
  co_return answers;
}

Async<std::vector<ipc::JobAnswer>> DaemonService::delete_jobs(std::vector<std::string> jobs) {
  std::vector<ipc::JobAnswer> answers(jobs.size());
  std::function<Async<void>(std::size_t)> one = [&](std::size_t index) {
    answers[index].job = std::move(jobs[index]);
    return delete_job(answers[index]);
  };
  co_await do_all(answers.size(), kActedOnTogether, std::move(one));
  housekeeper_.look();
  co_return answers;
}

Async<void> DaemonService::delete_job(ipc::JobAnswer& answer) {
  JobId job{answer.job};
  const auto removed = co_await driver_.remove(std::move(job));
  if (!removed) {
    answer.error = removed.error().message;
    co_return;
  }
  answer.state = kDeleted;
  // No former version of it is left, should its file be broken.
  std::erase_if(project_.jobs, [&answer](const Job& each) { return each.id.text == answer.job; });
  log_.info("job '" + answer.job + "' is deleted; what it stored goes in the background");
  auto folder = data_folder_of(project_, answer.job);
  const auto emptied = co_await disk_.remove(std::move(folder));
  if (!emptied) log_.warn(emptied.error().message);
}

Async<void> DaemonService::act_on(ipc::JobAnswer& answer, lifecycle::JobAction action,
                                  bool at_once) {
  JobId job{answer.job};
  const auto life = co_await driver_.act(std::move(job), action, at_once);
  if (life) {
    answer.state = to_text(life->state);
    if (life->waiting) answer.remark = kWaits;
    if (driver_.has_unwritten(JobId{answer.job})) answer.remark = kUnwritten;
  } else
    answer.error = life.error().message;
}

}  // namespace heddle::app
