#include "app/daemon.hpp"

#include <csignal>
#include <thread>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/coordinator.hpp"
#include "app/drive.hpp"
#include "app/engine.hpp"
#include "app/interrupt.hpp"
#include "app/outbox.hpp"
#include "app/project_lock.hpp"
#include "app/read_sound_project.hpp"
#include "app/service_manager.hpp"
#include "base/doorbell.hpp"
#include "base/pause.hpp"
#include "base/text.hpp"
#include "hub/control_server.hpp"
#include "hub/rethrow_bug.hpp"

namespace heddle::app {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::milliseconds kOutboxPause{1000};
constexpr std::chrono::milliseconds kLastWords{500};

int worker_count(const Project& project, const cli::UpOptions& options) {
  if (options.processes > 0) return options.processes;
  if (project.daemon.processes > 0) return project.daemon.processes;
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

// 0: there is no such file.
ino_t inode_of(const std::filesystem::path& file) {
  struct stat facts {};
  return stat(file.c_str(), &facts) == 0 ? facts.st_ino : 0;
}

ipc::WorkerStatus to_status(const supervise::SlotStatus& slot, const Job* job) {
  ipc::WorkerStatus status;
  status.name = slot.name;
  status.number = slot.number;
  status.pid = slot.pid;
  status.occurrence = slot.slot.occurrence;
  status.state = supervise::name_of(slot.state);
  status.uptime = slot.uptime;
  status.rss_bytes = slot.rss_bytes;
  status.restarts_in_window = slot.restarts_in_window;
  if (job != nullptr) status.working_on = job->id.text;
  if (slot.last_event) {
    status.last_event = supervise::name_of(slot.last_event->kind);
    status.last_event_at = slot.last_event->time;
    status.last_event_detail = slot.last_event->detail;
  }
  return status;
}

class Daemon final : public hub::ControlService {
 public:
  Daemon(asio::io_context& loop, Project project, std::unique_ptr<Coordinator> coordinator,
         const config::Environment& environment, Log& log)
      : loop_(loop),
        project_(std::move(project)),
        coordinator_(std::move(coordinator)),
        environment_(environment),
        log_(log),
        outbox_(coordinator_->store(), coordinator_->client(), project_, coordinator_->clock(),
                log) {}

  ipc::DaemonStatus status() override {
    ipc::DaemonStatus status;
    status.pid = getpid();
    status.version = HEDDLE_VERSION;
    status.uptime = std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::steady_clock::now() - started_);
    status.jobs = project_.jobs.size();
    status.runs_under_way = coordinator_->desk().runs_under_way();
    std::error_code unknown;
    const auto bytes = std::filesystem::file_size(database_file(project_), unknown);
    status.database_bytes = unknown ? 0 : static_cast<std::int64_t>(bytes);
    for (const supervise::SlotStatus& slot : coordinator_->supervisor().status())
      status.workers.push_back(to_status(slot, coordinator_->desk().job_of_mark(slot.working_on)));
    return status;
  }

  Status restart_worker(int number) override {
    for (const supervise::SlotStatus& slot : coordinator_->supervisor().status())
      if (slot.number == number) return coordinator_->supervisor().replace(slot.slot.slot);
    return Error{ErrorCode::not_found, fmt::format("there is no worker {}", number)};
  }

  Async<Result<ipc::FollowedRun>> run_job(ipc::RunJob wanted, hub::RunFollower& follower,
                                          std::function<void(const Run&)> on_begun) override {
    auto job = find_job(wanted);
    if (!job) co_return std::move(job).error();
    auto finished =
        co_await coordinator_->runs().run(*job, "manual", &follower, std::move(on_begun));
    if (!finished) co_return std::move(finished).error();
    ipc::FollowedRun followed;
    followed.run = std::move(finished->run);
    followed.costs = finished->costs;
    followed.is_interrupted = finished->is_interrupted;
    auto told = co_await outbox_.tell_about(job->id);
    followed.messages_waiting = told.messages.waiting;
    followed.messages_sent = told.messages.sent;
    followed.messages_dead = told.messages.dead;
    followed.message_errors = std::move(told.errors);
    co_return followed;
  }

  void cancel(const RunId& run) override { coordinator_->desk().cancel(run); }

  // Goes on with what a former coordinator left.
  Async<Status> take_up_leftovers() {
    auto leftovers = co_await coordinator_->store().unfinished_runs();
    if (!leftovers) co_return std::move(leftovers).error();
    for (const Run& run : *leftovers) {
      const Job* job = project_.find_job(run.job.text);
      if (job != nullptr && job->id == run.job) {
        log_.info(fmt::format("job '{}': going on with run {} ({} of {} pages are done)", job->name,
                              run.id.text, run.pages.done, run.pages.total));
        asio::co_spawn(loop_, go_on(*job, run), hub::rethrow_bug);
        continue;
      }
      // Its files may be back, or in order again, the next time.
      log_.warn(
          fmt::format("job '{}' is missing or has mistakes (see `heddle check`): its run {} "
                      "waits, {} of {} pages are done",
                      run.job.text, run.id.text, run.pages.done, run.pages.total));
    }
    co_return Done{};
  }

  // Sends what is due, as long as the daemon lives.
  Async<void> deliver() {
    while (!is_leaving_) {
      auto report = co_await outbox_.send_due();
      if (!report) log_.warn("messages: " + report.error().message);
      if (!has_lost_database() && !is_same_database()) leave_without_database();
      co_await leaving_.wait(std::chrono::steady_clock::now() + kOutboxPause);
    }
  }

  // Returns when all have left and those who asked something know the answer.
  Async<bool> leave(hub::ControlServer& control) {
    is_leaving_ = true;
    leaving_.ring();
    const auto deadline = std::chrono::steady_clock::now() + project_.daemon.shutdown_timeout;
    const auto report = co_await coordinator_->shut_down(deadline);
    for (const supervise::Straggler& straggler : report.killed)
      log_.warn(fmt::format("{} (pid {}) did not leave in time and was killed", straggler.name,
                            straggler.pid));
    co_await control.answered(std::chrono::steady_clock::now() + kLastWords);
    co_return true;
  }

  Coordinator& coordinator() { return *coordinator_; }

  [[nodiscard]] bool has_lost_database() const { return has_lost_database_; }

 private:
  // The file we write to is still the one that others find.
  [[nodiscard]] bool is_same_database() const {
    return inode_of(database_file(project_)) == database_inode_;
  }

  void leave_without_database() {
    has_lost_database_ = true;
    log_.error(database_file(project_).string() +
               " was removed or replaced: what is stored from now on would be lost, so the daemon "
               "leaves");
    raise(SIGTERM);
  }

  // As it stands in the files now: whoever asks has just read them.
  Result<Job> find_job(const ipc::RunJob& wanted) {
    const Job* job = project_.find_job(wanted.job);
    if (job == nullptr || job->revision != wanted.revision) {
      auto project = read_sound_project(project_.root, environment_);
      if (!project) return std::move(project).error();
      project_.jobs = std::move(project->jobs);
    }
    job = project_.find_job(wanted.job);
    if (job == nullptr)
      return Error{ErrorCode::not_found,
                   "the daemon finds no job '" + wanted.job +
                       "': it reads the project with its own environment, or the job has mistakes "
                       "there (see its log, then start it again)"};
    return *job;
  }

  Async<void> go_on(Job job, Run run) {
    auto finished = co_await coordinator_->runs().go_on(job, std::move(run), nullptr);
    if (!finished) co_return log_.error("job '" + job.name + "': " + finished.error().message);
    if (!finished->is_interrupted)
      log_.info(fmt::format("job '{}': {}", job.name, to_text(finished->run.state)));
  }

  asio::io_context& loop_;
  Project project_;
  std::unique_ptr<Coordinator> coordinator_;
  const config::Environment& environment_;
  Log& log_;
  Outbox outbox_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  const ino_t database_inode_ = inode_of(database_file(project_));
  bool has_lost_database_ = false;
  bool is_leaving_ = false;
  Doorbell leaving_;
};

Async<void> stay_alive(const ServiceManager& manager) {
  while (manager.heartbeat()) {
    manager.alive();
    co_await pause_for(*manager.heartbeat());
  }
}

void report_events(const supervise::ProcessEvent& event, Log& log) {
  using supervise::EventKind;
  switch (event.kind) {
    case EventKind::crash:
    case EventKind::unpublished:
      log.error(fmt::format("{} (pid {}) died: {}", event.name, event.pid, event.detail));
      break;
    case EventKind::start_failed:
      log.error(fmt::format("{} could not be started: {}", event.name, event.detail));
      break;
    case EventKind::gave_up:
      log.error(fmt::format("{} gave up: {}; `heddle workers restart {}` starts it again",
                            event.name, event.detail, event.number));
      break;
    default:
      break;
  }
}

}  // namespace

std::filesystem::path control_socket(const Project& project) {
  return project.data_dir / "heddle.sock";
}

Status run_daemon(const Project& project, const cli::UpOptions& options,
                  const config::Environment& environment, Log& log) {
  const ServiceManager manager;
  auto lock = ProjectLock::try_acquire(project.data_dir);
  if (!lock) return std::move(lock).error();
  asio::io_context loop(1);
  CoordinatorSettings settings;
  settings.processes = worker_count(project, options);
  settings.has_spare = true;
  auto coordinator = Coordinator::open(loop, project, settings, log);
  if (!coordinator) return std::move(coordinator).error();
  auto listening = ipc::listen_at(control_socket(project));
  if (!listening) return std::move(listening).error();

  Daemon daemon(loop, project, std::move(*coordinator), environment, log);
  const auto events = daemon.coordinator().supervisor().subscribe(
      [&log](const supervise::ProcessEvent& event) { report_events(event, log); });
  hub::ControlServer control(loop.get_executor(), std::move(*listening), daemon, HEDDLE_VERSION);
  bool has_left = false;
  const Interrupt interrupt(loop, [&] {
    log.info("leaving: pages in flight finish; a second signal ends at once");
    manager.stopping();
    control.close();
    asio::co_spawn(loop, daemon.leave(control), [&](const std::exception_ptr& bug, bool) {
      hub::rethrow_bug(bug);
      has_left = true;
    });
  });
  daemon.coordinator().start();
  auto taken_up = drive(loop, daemon.take_up_leftovers());
  if (!taken_up) return std::move(taken_up).error();
  asio::co_spawn(loop, control.serve(), hub::rethrow_bug);
  asio::co_spawn(loop, daemon.deliver(), hub::rethrow_bug);
  asio::co_spawn(loop, stay_alive(manager), hub::rethrow_bug);
  log.info(fmt::format("up: {} worker{}, {} job{}, pid {}", settings.processes,
                       settings.processes == 1 ? "" : "s", project.jobs.size(),
                       project.jobs.size() == 1 ? "" : "s", getpid()));
  manager.ready();
  while (!has_left) loop.run_one();
  std::error_code ignored;
  std::filesystem::remove(control_socket(project), ignored);
  if (daemon.has_lost_database())
    return Error{ErrorCode::unavailable, "the database was removed while the daemon was up"};
  return Done{};
}

}  // namespace heddle::app
