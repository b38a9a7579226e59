#include "app/client/run_job.hpp"

#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/this_coro.hpp>
#include <fmt/format.h>

#include "app/daemon/background_thread.hpp"
#include "app/daemon/control_socket.hpp"
#include "app/daemon/coordinator_runtime.hpp"
#include "app/daemon/disk_usage.hpp"
#include "app/daemon/outbox.hpp"
#include "app/interrupt.hpp"
#include "app/project/project_lock.hpp"
#include "base/drive.hpp"
#include "base/quantity.hpp"
#include "base/shell_word.hpp"
#include "base/user_name.hpp"
#include "config/environment.hpp"
#include "control/verbs.hpp"
#include "hub/clock_monitor.hpp"
#include "hub/health/storage_monitor.hpp"
#include "hub/jobs/job_scheduler.hpp"
#include "lifecycle/run_ledger.hpp"

namespace heddle::app {

namespace {

constexpr std::chrono::seconds kShutdownTime{5};

std::vector<cli::StageCost> costs_of(const StageCosts& costs) {
  std::vector<cli::StageCost> list;
  for (std::size_t i = 0; i < kStageCount; ++i) {
    const auto stage = static_cast<Stage>(i);
    if (stage == Stage::extract) {
      list.push_back({"decode", costs.extract.decode});
      list.push_back({"parse", costs.extract.parse});
      list.push_back({"select", costs.extract.select});
    } else if (costs.stages[i].count() > 0) {
      list.push_back({std::string(to_text(stage)), costs.stages[i]});
    }
  }
  return list;
}

cli::RunReport report_of(control::FollowedRun ended) {
  cli::RunReport report;
  report.run = std::move(ended.run);
  report.costs = costs_of(ended.costs);
  report.cycles = ended.costs.cycles;
  report.messages = {ended.messages_waiting, ended.messages_sent, ended.messages_dead};
  report.message_errors = std::move(ended.message_errors);
  return report;
}

Error no_daemon(const Project& project, const Error& why) {
  if (why.code != ErrorCode::not_found) return why;
  if (const auto pid = ProjectLock::lasting_holder(project.data_dir))
    return {
        ErrorCode::not_found,
        fmt::format(
            "heddle (pid {}) is using this project, but no daemon listens on {}. If it is a daemon "
            "that is starting, try again in a few seconds. If it is another command, such as "
            "`heddle run`, wait until it has ended ({}).",
            *pid, control_socket(project).string(), stop_advice(*pid))};
  return {ErrorCode::not_found, "no daemon is running for this project (no socket in " +
                                    project.data_dir.string() + "): `heddle --project " +
                                    shell_word(project.root.string()) + " up` starts one"};
}

// Forwards the daemon's events of the run.
Status notify_watcher(cli::RunWatcher& watcher, const ipc::Frame& frame) {
  if (frame.type == control::kRunBegun.number)
    return ipc::handle_frame<Run>(frame, [&](const Run& run) { watcher.run_started(run); });
  if (frame.type == control::kPageDone.number)
    return ipc::handle_frame<PageReport>(frame,
                                         [&](const PageReport& page) { watcher.page(page); });
  return Done{};
}

class WatcherAsFollower final : public hub::RunObserver {
 public:
  explicit WatcherAsFollower(cli::RunWatcher& watcher) : watcher_(watcher) {}
  void page(const PageReport& page) override { watcher_.page(page); }

 private:
  cli::RunWatcher& watcher_;
};

// A retry of dead letters must not abort an unfinished run over all pages.
Async<Status> refuse_beside_unfinished(store::Store& store, const Job& job) {
  auto unfinished = co_await store.unfinished_runs();
  if (!unfinished) co_return std::move(unfinished).error();
  for (const Run& run : *unfinished)
    if (run.job == job.id && run.trigger != RunTrigger::dead_letter)
      co_return Error{ErrorCode::conflict,
                      fmt::format("job '{}' has an unfinished run ({} of {} pages done): `heddle "
                                  "up` resumes it, `heddle cancel {}` ends it; retry after that",
                                  job.name, run.pages.done, run.pages.total, job.id.text)};
  co_return Done{};
}

Async<Result<ExecutionResult>> run_once(hub::JobScheduler& scheduler, store::Store& store,
                                        const cli::RunJobOptions& options,
                                        cli::RunWatcher& watcher) {
  const Job& job = options.job;
  auto loaded = co_await scheduler.load();
  if (!loaded) co_return std::move(loaded).error();
  if (!options.dead_letters.empty()) {
    auto is_free = co_await refuse_beside_unfinished(store, job);
    if (!is_free) co_return std::move(is_free).error();
  }
  Job same = job;
  auto ended_early = co_await scheduler.configure_for_new_run(std::move(same));
  if (!ended_early) co_return std::move(ended_early).error();
  if (*ended_early > 0)
    watcher.notice(
        fmt::format("{} of this job had not finished: {} ended, and what {} stored is kept",
                    counted(*ended_early, "earlier run"),
                    *ended_early == 1 ? "it was" : "they were", *ended_early == 1 ? "it" : "they"));
  WatcherAsFollower follower(watcher);
  hub::RunRequest request;
  request.observer = &follower;
  request.by = "cli:" + user_name(geteuid());
  request.dead_letters = options.dead_letters;
  request.on_begun = [&watcher](const Run& run) { watcher.run_started(run); };
  co_return co_await scheduler.run_now(job.id, std::move(request));
}

// Refuses runs while the project exceeds its storage limit, as the daemon does.
Async<Status> check_storage(CoordinatorRuntime& coordinator, const Project& project,
                            hub::JobScheduler& scheduler, Log& log) {
  const auto thread = std::make_unique<BackgroundThread>();
  hub::StorageMonitorParts parts{
      coordinator.history(),
      coordinator.clock(),
      log,
      [&] { return thread->run([&] { return measure_folders(storage_folders(project)); }); },
      [&project] { return disk_size(project.data_dir); },
      [&project] { return disk_free(project.data_dir); },
      [&scheduler](hub::StorageState state) -> Async<void> {
        const bool is_full = state.level == hub::StorageLevel::full;
        (void)co_await scheduler.hold_new_runs(is_full);
      }};
  const auto storage = std::make_unique<hub::StorageMonitor>(std::move(parts), project.storage);
  auto begun = co_await storage->begin();
  if (!begun) co_return begun;
  co_return co_await storage->check();
}

Async<Result<cli::RunReport>> run_and_deliver(CoordinatorRuntime& coordinator,
                                              const Project& project,
                                              const cli::RunJobOptions& options,
                                              cli::RunWatcher& watcher, Log& log) {
  hub::SchedulerParts parts{coordinator.executor(), coordinator.store(), coordinator.clock(), log,
                            config::Environment().zoneinfo};
  auto loop = co_await boost::asio::this_coro::executor;
  hub::SchedulerRules rules;
  rules.waits_for_store = false;
  const auto scheduler =
      std::make_unique<hub::JobScheduler>(std::move(loop), std::move(parts), rules);
  const auto clock_monitor =
      std::make_unique<hub::ClockMonitor>(coordinator.store(), coordinator.clock());
  const auto waits = co_await clock_monitor->start();
  if (!waits)
    log.warn("cannot adjust the times of the next retries to the changed system clock: " +
             waits.error().message);
  const auto checked = co_await check_storage(coordinator, project, *scheduler, log);
  if (!checked) log.warn("storage: " + checked.error().message);
  auto finished = co_await run_once(*scheduler, coordinator.store(), options, watcher);
  co_await scheduler->idle();  // also after a failure: running work uses the scheduler
  if (!finished) co_return std::move(finished).error();
  const auto outbox = std::make_unique<Outbox>(coordinator, project, log);
  auto ended = co_await outbox->deliver_after_run(std::move(*finished), Outbox::Await::all);
  co_await coordinator.shut_down(std::chrono::steady_clock::now() + kShutdownTime);
  co_return report_of(std::move(ended));
}

}  // namespace

Result<std::unique_ptr<control::ControlClient>> connect_to_daemon(const Project& project) {
  if (const auto pid = ProjectLock::holder_waiting_for_space(project.data_dir))
    return waits_for_space(*pid, project.data_dir);
  auto client = control::ControlClient::connect(control_socket(project), HEDDLE_VERSION);
  if (!client) return no_daemon(project, client.error());
  return client;
}

Result<cli::RunReport> run_in_daemon(const Project& project, const cli::RunJobOptions& options,
                                     cli::RunWatcher& watcher) {
  auto client = connect_to_daemon(project);
  if (!client) return std::move(client).error();
  control::ControlClient& daemon = **client;
  daemon.on_notification(
      [&watcher](const ipc::Frame& frame) { return notify_watcher(watcher, frame); });
  const Interrupt interrupt(daemon.loop(), [&] {
    watcher.notice(fmt::format("cancelling: {}; press Ctrl-C again to leave without waiting",
                               options.job.kind == JobKind::web
                                   ? "pages in flight finish"
                                   : "its programs are being stopped"));
    daemon.post(control::to_frame(control::kCancelRun, Done{}));
  });
  const control::RunJob request{options.job.id.text, options.job.version(), options.dead_letters,
                                watcher.wants_pages()};
  auto ended = daemon.call(control::kRunJob, request);
  // `not_found` would mean that there is no daemon.
  if (!ended && ended.error().code == ErrorCode::not_found)
    return Error{ErrorCode::conflict, ended.error().message};
  if (!ended) return std::move(ended).error();
  if (ended->is_interrupted)
    watcher.notice("the daemon is shutting down; the next one resumes this run");
  return report_of(std::move(*ended));
}

Result<cli::RunReport> run_in_foreground(const Project& project, const cli::RunJobOptions& options,
                                         cli::RunWatcher& watcher, Log& log) {
  auto lock = ProjectLock::acquire(project.data_dir, [&](int pid) {
    const std::string holder = pid > 0 ? fmt::format(" (pid {})", pid) : "";
    watcher.notice("another heddle" + holder + " is using this project; waiting for it");
  });
  if (!lock) return std::move(lock).error();
  boost::asio::io_context loop(1);
  CoordinatorSettings settings;
  settings.waits_for_store = false;
  auto coordinator = CoordinatorRuntime::open(loop, project, settings, log);
  if (!coordinator) return std::move(coordinator).error();
  if (auto started = (*coordinator)->start(); !started) return std::move(started).error();
  const Interrupt interrupt(loop, [&] {
    watcher.notice(options.job.kind == JobKind::web
                       ? "finishing the pages in flight; press Ctrl-C again to stop immediately"
                       : "stopping its programs; press Ctrl-C again to kill them");
    (*coordinator)->dispatcher().cancel_all();
    (*coordinator)->executor().cancel_all();
  });
  return drive(loop, run_and_deliver(**coordinator, project, options, watcher, log));
}

}  // namespace heddle::app
