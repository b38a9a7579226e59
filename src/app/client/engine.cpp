#include "app/client/engine.hpp"

#include <boost/asio/io_context.hpp>
#include <fmt/format.h>

#include "app/project/program_environment.hpp"
#include "app/project/project_lock.hpp"
#include "app/scripts/debug_files.hpp"
#include "app/scripts/script_notification.hpp"
#include "app/scripts/script_tester.hpp"
#include "base/drive.hpp"
#include "net/hosts/local_host_gate.hpp"
#include "pipeline/cycle.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "worker/worker_context.hpp"

namespace heddle::app {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::seconds kLocalDetachedWorkLimit{2};

class LocalEngine final : public Engine {
 public:
  LocalEngine(Project project, std::optional<ProjectLock> lock,
              std::unique_ptr<store::SqliteStore> store, Log& log)
      : project_(std::move(project)),
        lock_(std::move(lock)),
        store_(std::move(store)),
        log_(log),
        desktop_(program_environment(), log) {}

  // Finishes background work of scripts before its dependencies are destroyed.
  ~LocalEngine() override {
    if (context_)
      drive(loop_, context_->finish_detached_work(std::chrono::steady_clock::now() +
                                                  kLocalDetachedWorkLimit));
  }
  LocalEngine(const LocalEngine&) = delete;
  LocalEngine& operator=(const LocalEngine&) = delete;

  Status connect() {
    const net::HostLimits limits{project_.per_host, project_.per_host_delay};
    gate_ = std::make_unique<net::LocalHostGate>(loop_.get_executor(), limits, project_.hosts);
    worker::WorkerContextParts parts{
        project_, *store_, *gate_, clock_, log_, database_file(project_), {}};
    parts.notify = [this](script::NotifyWant want) {
      return show_notification(desktop_, std::move(want));
    };
    auto context = worker::WorkerContext::make(loop_.get_executor(), std::move(parts));
    if (!context) return std::move(context).error();
    context_ = std::move(*context);
    return Done{};
  }

  Result<std::vector<cli::DebugPage>> debug(const Job& job, std::size_t max_pages) override {
    auto session = drive(loop_, context_->jobs().load(job));
    if (!session) return std::move(session.error());
    return drive(loop_, debug_once(**session, max_pages));
  }

  Result<cli::ScriptTest> test(const Job& job, const std::string& name) override {
    auto session = drive(loop_, context_->jobs().load_for_test(job));
    if (!session) return std::move(session.error());
    return drive(loop_, run_script_test(context_->services(), *store_, **session, name));
  }

  Result<std::vector<std::string>> test_names(const Job& job) override {
    auto session = drive(loop_, context_->jobs().load_for_test(job));
    if (!session) return std::move(session.error());
    return (*session)->script->vm().global_functions("test_");
  }

 private:
  Async<Result<std::vector<cli::DebugPage>>> debug_once(pipeline::JobSession& session,
                                                        std::size_t max_pages) {
    const Job& job = session.plan.job;
    std::size_t count = job.urls.size();
    if (max_pages > 0) count = std::min(count, max_pages);
    std::vector<cli::DebugPage> pages;
    for (std::size_t i = 0; i < count; ++i) {
      Lease lease;
      lease.task.number = static_cast<TaskNumber>(i + 1);
      lease.task.url = job.urls[i];
      pages.push_back(co_await debug_page(session, lease));
    }
    co_return pages;
  }

  Async<cli::DebugPage> debug_page(pipeline::JobSession& session, const Lease& lease) {
    cli::DebugPage page;
    page.task = lease.task;
    pipeline::Artefacts artefacts;
    pipeline::CycleSpec order;
    order.lease = lease;
    order.mode = pipeline::CycleMode::dry_run;
    order.artefacts = &artefacts;
    auto end = co_await pipeline::run_cycle(context_->services(), session, order);
    page.trace = std::move(end.trace);
    if (auto* failure = std::get_if<pipeline::PageFailure>(&end.outcome))
      page.error = std::move(failure->error);
    page.status = artefacts.response.status;
    auto files = write_debug_files(project_, session.plan.job, page.task, artefacts);
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
  std::optional<ProjectLock> lock_;  // prevents runs by other processes meanwhile
  SystemClock clock_;
  asio::io_context loop_{1};
  std::unique_ptr<store::SqliteStore> store_;
  std::unique_ptr<net::LocalHostGate> gate_;
  Log& log_;
  notify::Desktop desktop_;
  std::unique_ptr<worker::WorkerContext> context_;
};

}  // namespace

std::filesystem::path database_file(const Project& project) {
  return project.data_dir / "heddle.db";
}

Result<std::unique_ptr<Engine>> Engine::open(const Project& project, Log& log) {
  // Nothing is stored, so there is no need to wait for another holder.
  auto lock = ProjectLock::try_acquire(project.data_dir);
  if (!lock && lock.error().code != ErrorCode::conflict) return std::move(lock.error());
  std::optional<ProjectLock> held;
  if (lock) held.emplace(std::move(*lock));
  store::SqliteOptions options;
  options.log = &log;
  auto store = store::SqliteStore::open(database_file(project), options);
  if (!store) return std::move(store.error());
  auto engine = std::make_unique<LocalEngine>(project, std::move(held), std::move(*store), log);
  auto connected = engine->connect();
  if (!connected) return std::move(connected.error());
  return std::unique_ptr<Engine>(std::move(engine));
}

}  // namespace heddle::app
