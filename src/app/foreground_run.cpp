#include "app/foreground_run.hpp"

#include <utility>

#include <boost/asio/io_context.hpp>
#include <fmt/format.h>

#include "app/coordinator.hpp"
#include "app/drive.hpp"
#include "app/interrupt.hpp"
#include "app/outbox.hpp"
#include "app/project_lock.hpp"
#include "app/run_outcome.hpp"
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

Async<Status> settle_leftovers(Coordinator& coordinator, const Job& job, cli::RunWatcher& watcher) {
  lifecycle::RunKeeper keeper(coordinator.store(), coordinator.clock());
  auto leftovers = co_await keeper.settle_leftovers(job.id);
  if (!leftovers) co_return std::move(leftovers).error();
  if (*leftovers > 0)
    watcher.remark(
        fmt::format("{} earlier run{} of this job ended before finishing; what was stored is kept",
                    *leftovers, *leftovers == 1 ? "" : "s"));
  co_return Done{};
}

Async<Result<cli::RunOutcome>> run_once(Coordinator& coordinator, const Project& project,
                                        const Job& job, cli::RunWatcher& watcher, Log& log) {
  auto settled = co_await settle_leftovers(coordinator, job, watcher);
  if (!settled) co_return std::move(settled).error();
  WatcherAsFollower follower(watcher);
  auto on_begun = [&watcher](const Run& run) { watcher.begun(run); };
  auto finished = co_await coordinator.runs().run(job, "manual", &follower, std::move(on_begun));
  if (!finished) co_return std::move(finished).error();
  cli::RunOutcome outcome;
  outcome.run = std::move(finished->run);
  outcome.costs = costs_of(finished->costs);
  outcome.cycles = finished->costs.cycles;
  const auto outbox = std::make_unique<Outbox>(coordinator.store(), coordinator.client(), project,
                                               coordinator.clock(), log);
  auto told = co_await outbox->tell_about(job.id);
  outcome.messages = told.messages;
  outcome.message_errors = std::move(told.errors);
  co_await coordinator.shut_down(std::chrono::steady_clock::now() + kTimeToLeave);
  co_return outcome;
}

}  // namespace

Result<cli::RunOutcome> run_in_foreground(const Project& project, const Job& job,
                                          cli::RunWatcher& watcher, Log& log) {
  auto lock = ProjectLock::acquire(project.data_dir, [&](int pid) {
    watcher.remark(
        fmt::format("another heddle (pid {}) works on this project; waiting for it", pid));
  });
  if (!lock) return std::move(lock).error();
  boost::asio::io_context loop(1);
  auto coordinator = Coordinator::open(loop, project, {}, log);
  if (!coordinator) return std::move(coordinator).error();
  (*coordinator)->start();
  const Interrupt interrupt(loop, [&] {
    watcher.remark("finishing the pages in flight; interrupt again to stop at once");
    (*coordinator)->desk().cancel_all();
  });
  return drive(loop, run_once(**coordinator, project, job, watcher, log));
}

}  // namespace heddle::app
