#include "app/foreground_run.hpp"

#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/this_coro.hpp>
#include <fmt/format.h>

#include "app/coordinator.hpp"
#include "app/disk_usage.hpp"
#include "app/drive.hpp"
#include "app/interrupt.hpp"
#include "app/outbox.hpp"
#include "app/project_lock.hpp"
#include "app/run_outcome.hpp"
#include "config/environment.hpp"
#include "hub/job_driver.hpp"
#include "hub/storage_watch.hpp"
#include "lifecycle/run_keeper.hpp"

namespace heddle::app {

namespace {

constexpr std::chrono::seconds kTimeToLeave{5};

class WatcherAsFollower final : public hub::RunFollower {
 public:
  explicit WatcherAsFollower(cli::RunWatcher& watcher) : watcher_(watcher) {}
  void page(const PageReport& page) override { watcher_.page(news_of(page)); }

 private:
  cli::RunWatcher& watcher_;
};

// A run over all pages is not given up for the sake of some letters.
Async<Status> refuse_beside_unfinished(store::Store& store, const Job& job) {
  auto unfinished = co_await store.unfinished_runs();
  if (!unfinished) co_return std::move(unfinished).error();
  for (const Run& run : *unfinished)
    if (run.job == job.id && run.trigger != lifecycle::kDeadLetterTrigger)
      co_return Error{
          ErrorCode::conflict,
          fmt::format(
              "job '{}' has a run that has not ended ({} of {} pages are done): `heddle up` "
              "goes on with it, `heddle cancel {}` ends it; retry after that",
              job.name, run.pages.done, run.pages.total, job.id.text)};
  co_return Done{};
}

Async<Result<hub::FinishedRun>> run_once(hub::JobDriver& driver, store::Store& store,
                                         const cli::RunOrder& order, cli::RunWatcher& watcher) {
  const Job& job = order.job;
  auto loaded = co_await driver.load();
  if (!loaded) co_return std::move(loaded).error();
  if (!order.letters.empty()) {
    auto is_free = co_await refuse_beside_unfinished(store, job);
    if (!is_free) co_return std::move(is_free).error();
  }
  Job same = job;
  auto left = co_await driver.adopt_for_new_run(std::move(same));
  if (!left) co_return std::move(left).error();
  if (*left > 0)
    watcher.remark(
        fmt::format("{} earlier run{} of this job ended before finishing; what was stored is kept",
                    *left, *left == 1 ? "" : "s"));
  WatcherAsFollower follower(watcher);
  std::function<void(const Run&)> on_begun = [&watcher](const Run& run) { watcher.begun(run); };
  if (order.letters.empty())
    co_return co_await driver.run_now(job.id, &follower, std::move(on_begun));
  std::vector<LetterId> letters = order.letters;
  co_return co_await driver.retry_letters(job.id, std::move(letters), &follower,
                                          std::move(on_begun));
}

// No run begins here either while the project takes more space than it may.
Async<Status> heed_storage(Coordinator& coordinator, const Project& project, hub::JobDriver& driver,
                           Log& log) {
  const auto disk = std::make_unique<DiskUsage>(project.data_dir);
  hub::StorageParts parts{coordinator.history(),
                          coordinator.clock(),
                          log,
                          [&disk] { return disk->measure(); },
                          [&project] { return disk_size(project.data_dir); },
                          [&project] { return disk_free(project.data_dir); },
                          [&driver](hub::StorageState state) -> Async<void> {
                            const bool is_full = state.level == hub::StorageLevel::full;
                            (void)co_await driver.hold_new_runs(is_full);
                          }};
  const auto storage = std::make_unique<hub::StorageWatch>(std::move(parts), project.storage);
  auto begun = co_await storage->begin();
  if (!begun) co_return begun;
  co_return co_await storage->look();
}

Async<Result<cli::RunOutcome>> run_and_tell(Coordinator& coordinator, const Project& project,
                                            const cli::RunOrder& order, cli::RunWatcher& watcher,
                                            Log& log) {
  hub::DriverParts parts{hub::RunOffices(coordinator.runs()),
                         coordinator.store(),
                         coordinator.clock(),
                         log,
                         config::Environment().zoneinfo,
                         nullptr};
  auto loop = co_await boost::asio::this_coro::executor;
  hub::DriverRules rules;
  rules.waits_for_store = false;
  const auto driver = std::make_unique<hub::JobDriver>(std::move(loop), std::move(parts), rules);
  const auto heeded = co_await heed_storage(coordinator, project, *driver, log);
  if (!heeded) log.warn("storage: " + heeded.error().message);
  auto finished = co_await run_once(*driver, coordinator.store(), order, watcher);
  co_await driver->idle();  // also when it failed: whoever works on a run uses the driver
  if (!finished) co_return std::move(finished).error();
  cli::RunOutcome outcome;
  outcome.run = std::move(finished->run);
  outcome.costs = costs_of(finished->costs);
  outcome.cycles = finished->costs.cycles;
  Outbox::FindClient client = [&coordinator] { return coordinator.client(); };
  const auto outbox = std::make_unique<Outbox>(coordinator.store(), std::move(client), project,
                                               coordinator.clock(), log);
  JobId told_of = order.job.id;
  auto told = co_await outbox->tell_about(std::move(told_of), Outbox::Await::all);
  outcome.messages = told.messages;
  outcome.message_errors = std::move(told.errors);
  co_await coordinator.shut_down(std::chrono::steady_clock::now() + kTimeToLeave);
  co_return outcome;
}

}  // namespace

Result<cli::RunOutcome> run_in_foreground(const Project& project, const cli::RunOrder& order,
                                          cli::RunWatcher& watcher, Log& log) {
  auto lock = ProjectLock::acquire(project.data_dir, [&](int pid) {
    const std::string who = pid > 0 ? fmt::format(" (pid {})", pid) : "";
    watcher.remark("another heddle" + who + " works on this project; waiting for it");
  });
  if (!lock) return std::move(lock).error();
  boost::asio::io_context loop(1);
  CoordinatorSettings settings;
  settings.waits_for_store = false;
  auto coordinator = Coordinator::open(loop, project, settings, log);
  if (!coordinator) return std::move(coordinator).error();
  if (auto started = (*coordinator)->start(); !started) return std::move(started).error();
  const Interrupt interrupt(loop, [&] {
    watcher.remark(order.job.kind == JobKind::web
                       ? "finishing the pages in flight; interrupt again to stop at once"
                       : "asking its programs to end; interrupt again to stop at once");
    (*coordinator)->desk().cancel_all();
    (*coordinator)->runs().cancel_all();
  });
  return drive(loop, run_and_tell(**coordinator, project, order, watcher, log));
}

}  // namespace heddle::app
