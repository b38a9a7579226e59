#include "app/engine.hpp"

#include <csignal>
#include <cstdlib>
#include <optional>
#include <stdexcept>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <fmt/format.h>

#include "app/debug_files.hpp"
#include "app/outbox.hpp"
#include "app/program_environment.hpp"
#include "app/project_lock.hpp"
#include "app/script_tester.hpp"
#include "lifecycle/run_keeper.hpp"
#include "net/local_host_gate.hpp"
#include "pipeline/cycle.hpp"
#include "queue/local/store_queue.hpp"
#include "store/sqlite/sqlite_reader.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "worker/page_runner.hpp"
#include "worker/workshop.hpp"

namespace heddle::app {

namespace asio = boost::asio;

namespace {

// Enough to keep every worker busy while the next handful is fetched, few enough that a crash
// leaves little to hand out again.
std::size_t leases_for(const Job& job) {
  return static_cast<std::size_t>(job.workers) * 4 + 4;
}

// Turns Ctrl-C into a polite end: pages in flight finish, no new ones begin. A second one is final.
class Interrupt {
 public:
  Interrupt(asio::io_context& loop, std::function<void()> on_first)
      : signals_(loop, SIGINT, SIGTERM), on_first_(std::move(on_first)) {
    wait();
  }
  [[nodiscard]] bool happened() const { return happened_; }

 private:
  void wait() {
    signals_.async_wait([this](boost::system::error_code cancelled, int) {
      if (cancelled) return;
      if (happened_) std::_Exit(130);
      happened_ = true;
      on_first_();
      wait();
    });
  }

  asio::signal_set signals_;
  std::function<void()> on_first_;
  bool happened_ = false;
};

cli::PageNews news_of(const PageReport& page) {
  return {page.task.url, page.state, page.items, page.bytes, page.error, page.wait};
}

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

class LocalEngine final : public Engine {
 public:
  LocalEngine(Project project, ProjectLock lock, std::unique_ptr<store::SqliteStore> store,
              Log& log)
      : project_(std::move(project)),
        lock_(std::move(lock)),
        store_(std::move(store)),
        log_(log),
        desktop_(program_environment(), log) {}

  Status connect() {
    const net::HostLimits limits{project_.per_host, project_.per_host_delay};
    gate_ = std::make_unique<net::LocalHostGate>(loop_.get_executor(), limits, project_.hosts);
    worker::WorkshopParts parts{project_, *store_, *gate_, clock_, log_, database_file(project_),
                                {}};
    parts.notify = [this](script::NotifyWant want) { return show(std::move(want)); };
    auto workshop = worker::Workshop::make(loop_.get_executor(), std::move(parts));
    if (!workshop) return std::move(workshop).error();
    workshop_ = std::move(*workshop);
    return Done{};
  }

  Result<cli::RunOutcome> run(const Job& job, cli::RunWatcher& watcher) override {
    auto state = drive(workshop_->jobs().load(job));
    if (!state) return std::move(state.error());
    return drive(run_once(**state, watcher));
  }

  Result<std::vector<cli::DebugPage>> debug(const Job& job, std::size_t max_pages) override {
    auto state = drive(workshop_->jobs().load(job));
    if (!state) return std::move(state.error());
    return drive(debug_once(**state, max_pages));
  }

  Result<cli::ScriptTest> test(const Job& job, const std::string& name) override {
    auto state = drive(workshop_->jobs().load_for_test(job));
    if (!state) return std::move(state.error());
    return drive(run_script_test(workshop_->services(), *store_, **state, name));
  }

  Result<std::vector<std::string>> test_names(const Job& job) override {
    auto state = drive(workshop_->jobs().load_for_test(job));
    if (!state) return std::move(state.error());
    return (*state)->script->vm().global_functions("test_");
  }

 private:
  Async<bool> show(script::NotifyWant want) {
    notify::DesktopMessage message;
    message.title = std::move(want.title);
    message.body = std::move(want.body);
    message.timeout = want.timeout;
    co_await desktop_.show(std::move(message));
    co_return desktop_.is_present();
  }

  template <class T>
  T drive(Async<T> work) {
    std::optional<T> result;
    std::exception_ptr thrown;
    loop_.restart();
    asio::co_spawn(loop_, std::move(work), [&](std::exception_ptr failed, T value) {
      thrown = failed;
      result = std::move(value);
    });
    while (!result)
      if (loop_.run_one() == 0) throw std::logic_error("the work waits for nothing");
    if (thrown) std::rethrow_exception(thrown);
    return std::move(*result);
  }

  Async<Result<cli::RunOutcome>> run_once(pipeline::JobState& state, cli::RunWatcher& watcher) {
    const Job& job = state.plan.job;
    lifecycle::RunKeeper keeper(*store_, clock_);
    auto leftovers = co_await keeper.settle_leftovers();
    if (!leftovers) co_return std::move(leftovers).error();
    if (*leftovers > 0)
      watcher.remark(
          fmt::format("{} earlier run{} ended before finishing; what they stored is kept",
                      *leftovers, *leftovers == 1 ? "" : "s"));
    auto begun = co_await keeper.begin(job, "manual");
    if (!begun) co_return std::move(begun).error();
    watcher.begun(begun->run);

    lifecycle::RunFacts facts;
    auto report = co_await work_through(state, begun->run, watcher, facts);
    facts.pages = report.pages;
    facts.max_error_rate = job.max_error_rate;
    facts.reached_limit = begun->is_cut_short || report.ran_out_of_time;
    facts.broke_down = report.broke_down;
    note_limits(job, *begun, report);
    auto ended = co_await keeper.end(begun->run.id, facts, std::move(report.errors));
    if (!ended) co_return std::move(ended).error();

    cli::RunOutcome outcome;
    outcome.run = std::move(*ended);
    outcome.costs = costs_of(report.costs);
    outcome.cycles = report.costs.cycles;
    save_cookies(state);
    co_await tell(job, outcome);
    co_return outcome;
  }

  Async<PagesReport> work_through(pipeline::JobState& state, const Run& run,
                                  cli::RunWatcher& watcher, lifecycle::RunFacts& facts) {
    const Job& job = state.plan.job;
    queue::StoreQueue queue(*store_, run.id, clock_, leases_for(job));
    worker::PageRunnerOptions options;
    options.on_page = [&watcher](const PageReport& page) { watcher.page(news_of(page)); };
    options.deadline = std::chrono::steady_clock::now() + job.limits.run_time;
    if (job.debug)
      options.on_artefacts = [this, &job](const Task& task, pipeline::Artefacts artefacts,
                                          const CycleTrace&) {
        auto written = write_debug_files(project_, job, task, artefacts);
        if (!written) log_.warn(written.error().message);
      };
    worker::PageRunner runner(workshop_->services(), state, queue, std::move(options));
    Interrupt interrupt(loop_, [&] {
      watcher.remark("finishing the pages in flight; interrupt again to stop at once");
      runner.stop();
    });
    auto report = co_await runner.run();
    facts.was_cancelled = interrupt.happened();
    co_return report;
  }

  static void note_limits(const Job& job, const lifecycle::BegunRun& begun, PagesReport& report) {
    if (begun.is_cut_short)
      report.errors.push_back({"limited",
                               fmt::format("limits.pages_per_run = {}: the other pages of {} were "
                                           "left out",
                                           job.limits.pages_per_run, job.urls.size()),
                               ""});
    if (report.ran_out_of_time)
      report.errors.push_back({"limited",
                               fmt::format("limits.run_time = {}: the pages left were not begun",
                                           to_short_text(job.limits.run_time)),
                               ""});
  }

  void save_cookies(pipeline::JobState& state) {
    if (state.plan.job.cookie_file.empty()) return;
    auto saved = state.cookies.save(state.plan.job.cookie_file);
    if (!saved) log_.warn(saved.error().message);
  }

  // First attempts only; what is left waits for the next run.
  Async<void> tell(const Job& job, cli::RunOutcome& outcome) {
    Outbox outbox(*store_, workshop_->client(), project_, clock_, log_);
    auto report = co_await outbox.send_due();
    if (!report) co_return log_.warn(report.error().message);
    outcome.message_errors = std::move(report->errors);
    auto reader = store::SqliteReader::open(database_file(project_));
    if (!reader) co_return;
    auto counts = (*reader)->outbox(job.id);
    if (counts) outcome.messages = *counts;
  }

  Async<Result<std::vector<cli::DebugPage>>> debug_once(pipeline::JobState& state,
                                                        std::size_t max_pages) {
    const Job& job = state.plan.job;
    std::size_t count = job.urls.size();
    if (max_pages > 0) count = std::min(count, max_pages);
    std::vector<cli::DebugPage> pages;
    for (std::size_t i = 0; i < count; ++i) {
      Lease lease;
      lease.task.number = static_cast<TaskNumber>(i + 1);
      lease.task.url = job.urls[i];
      pages.push_back(co_await debug_page(state, lease));
    }
    co_return pages;
  }

  Async<cli::DebugPage> debug_page(pipeline::JobState& state, const Lease& lease) {
    cli::DebugPage page;
    page.task = lease.task;
    pipeline::Artefacts artefacts;
    pipeline::CycleOrder order;
    order.lease = lease;
    order.mode = pipeline::CycleMode::dry_run;
    order.artefacts = &artefacts;
    auto end = co_await pipeline::run_cycle(workshop_->services(), state, order);
    page.trace = std::move(end.trace);
    if (auto* failure = std::get_if<pipeline::PageFailure>(&end.outcome))
      page.error = std::move(failure->error);
    page.status = artefacts.response.status;
    auto files = write_debug_files(project_, state.plan.job, page.task, artefacts);
    if (files)
      page.files = std::move(*files);
    else
      log_.warn(files.error().message);
    page.items = std::move(artefacts.items);
    page.is_new = std::move(artefacts.is_new);
    page.deliveries = std::move(artefacts.deliveries);
    co_return page;
  }

  Project project_;
  ProjectLock lock_;
  SystemClock clock_;
  asio::io_context loop_{1};
  std::unique_ptr<store::SqliteStore> store_;
  std::unique_ptr<net::LocalHostGate> gate_;
  Log& log_;
  notify::Desktop desktop_;
  std::unique_ptr<worker::Workshop> workshop_;
};

}  // namespace

std::filesystem::path database_file(const Project& project) {
  return project.data_dir / "heddle.db";
}

Result<std::unique_ptr<Engine>> Engine::open(const Project& project, cli::RunWatcher& watcher,
                                             Log& log) {
  auto lock = ProjectLock::acquire(project.data_dir, [&](int pid) {
    watcher.remark(
        fmt::format("another heddle (pid {}) works on this project; waiting for it", pid));
  });
  if (!lock) return std::move(lock.error());
  store::SqliteOptions options;
  options.log = &log;
  auto store = store::SqliteStore::open(database_file(project), std::move(options));
  if (!store) return std::move(store.error());
  auto engine = std::make_unique<LocalEngine>(project, std::move(*lock), std::move(*store), log);
  auto connected = engine->connect();
  if (!connected) return std::move(connected.error());
  return std::unique_ptr<Engine>(std::move(engine));
}

}  // namespace heddle::app
