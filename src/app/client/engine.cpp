#include "app/client/engine.hpp"

#include <boost/asio/io_context.hpp>

#include "app/project/project_databases.hpp"
#include "app/project/project_lock.hpp"
#include "app/project/scratch_folder.hpp"
#include "app/scripts/debug_files.hpp"
#include "app/scripts/script_notification.hpp"
#include "app/scripts/script_tester.hpp"
#include "base/drive.hpp"
#include "base/secrets/secret_text.hpp"
#include "net/hosts/local_host_gate.hpp"
#include "pipeline/cycle.hpp"
#include "pipeline/extract.hpp"
#include "pipeline/fetch/fetch_page.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "worker/worker_context.hpp"

namespace heddle::app {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::seconds kLocalDetachedWorkLimit{2};
constexpr std::size_t kStartOfBinary = 1024;

class Engine {
 public:
  static Result<std::unique_ptr<Engine>> open(const Project& project, Log& log) {
    // Nothing is stored, so there is no need to wait for another holder.
    auto lock = ProjectLock::try_acquire(project.data_dir);
    if (!lock && lock.error().code != ErrorCode::conflict) return std::move(lock.error());
    store::SqliteOptions options;
    options.log = &log;
    auto store = store::SqliteStore::open(database_file(project), options);
    if (!store) return std::move(store.error());
    std::unique_ptr<Engine> engine(new Engine(project, std::move(lock), std::move(*store), log));
    worker::WorkerContextParts parts{
        engine->project_,       *engine->store_,     engine->gate_, engine->clock_, log,
        database_file(project), script_notifier(log)};
    auto context = worker::WorkerContext::make(engine->loop_.get_executor(), std::move(parts));
    if (!context) return std::move(context).error();
    engine->context_ = std::move(*context);
    return engine;
  }

  // Finishes background work of scripts before its dependencies are destroyed.
  ~Engine() {
    if (context_)
      drive(loop_, context_->finish_detached_work(std::chrono::steady_clock::now() +
                                                  kLocalDetachedWorkLimit));
  }
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  Result<std::vector<cli::DebugPage>> debug(const Job& job, std::size_t max_pages) {
    auto session = drive(loop_, context_->jobs().load(job));
    if (!session) return std::move(session.error());
    return drive(loop_, debug_once(**session, max_pages));
  }

  Result<FirstPage> fetch_first(const Job& job) {
    auto session = drive(loop_, context_->jobs().load(job));
    if (!session) return std::move(session.error());
    return drive(loop_, fetch_once(**session));
  }

  // Runs one test function of the job in a new VM. Use a fresh data folder.
  Result<cli::ScriptTest> test(const Job& job, const std::string& name) {
    auto session = drive(loop_, context_->jobs().load_for_test(job));
    if (!session) return std::move(session.error());
    return drive(loop_, run_script_test(context_->services(), *store_, **session, name));
  }

  // The names of the test functions, in order.
  Result<std::vector<std::string>> test_names(const Job& job) {
    auto session = drive(loop_, context_->jobs().load_for_test(job));
    if (!session) return std::move(session.error());
    return (*session)->script->vm().global_functions("test_");
  }

 private:
  Engine(Project project, Result<ProjectLock> lock, std::unique_ptr<store::SqliteStore> store,
         Log& log)
      : project_(std::move(project)),
        lock_(std::move(lock)),
        store_(std::move(store)),
        gate_(loop_.get_executor(), {project_.per_host, project_.per_host_delay}, project_.hosts),
        log_(log) {}

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

  Async<Result<FirstPage>> fetch_once(pipeline::JobSession& session) {
    const Job& job = session.plan.job;
    auto url = resolve_references(job.urls.front(), job.secrets);
    if (!url) co_return std::move(url).error();
    pipeline::FetchSpec spec;
    spec.request = pipeline::request_for(session, *url);
    auto result = co_await pipeline::fetch_page(context_->services(), session, std::move(spec));
    FirstPage page;
    if (auto* failed = std::get_if<pipeline::FailedFetch>(&result)) {
      if (!failed->error.response)
        co_return Error{ErrorCode::unavailable, failed->failure.error.message};
      page.response = std::move(*failed->error.response);
    } else {
      page.response = std::get<FetchResponse>(std::move(result));
    }
    pipeline::Extracted decoded = pipeline::take_body(page.response);
    page.body =
        decoded.is_binary ? page.response.body.substr(0, kStartOfBinary) : std::move(decoded.body);
    page.response.body.clear();
    co_return page;
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
    page.text = std::move(artefacts.text);
    page.text_changes = std::move(artefacts.text_changes);
    co_return page;
  }

  const Project project_;
  const Result<ProjectLock> lock_;  // prevents runs by other processes meanwhile, if it is held
  SystemClock clock_;
  asio::io_context loop_{1};
  std::unique_ptr<store::SqliteStore> store_;
  net::LocalHostGate gate_;
  Log& log_;
  std::unique_ptr<worker::WorkerContext> context_;
};

// Calls `action` with an engine on a temporary data folder.
template <class Action>
auto with_fresh_engine(const Project& project, Log& log, Action action)
    -> decltype(action(std::declval<Engine&>())) {
  const auto data = ScratchFolder::make("heddle-test");
  if (!data) return Error{ErrorCode::unavailable, "cannot make a temporary folder for the test"};
  Project own = project;
  own.data_dir = data->path();
  auto engine = Engine::open(own, log);
  if (!engine) return std::move(engine.error());
  return action(**engine);
}

}  // namespace

Result<std::vector<cli::DebugPage>> debug_job(const Project& project, const Job& job,
                                              std::size_t max_pages, Log& log) {
  auto engine = Engine::open(project, log);
  if (!engine) return std::move(engine.error());
  return (*engine)->debug(job, max_pages);
}

Result<FirstPage> fetch_first_page(const Project& project, const Job& job, Log& log) {
  return with_fresh_engine(project, log,
                           [&job](Engine& engine) { return engine.fetch_first(job); });
}

Status run_script_tests(const Project& project, const Job& job, const std::string& pattern,
                        const std::function<void(const cli::ScriptTest&)>& done, Log& log) {
  auto names =
      with_fresh_engine(project, log, [&job](Engine& engine) { return engine.test_names(job); });
  if (!names) return std::move(names.error());
  for (const std::string& name : *names) {
    if (name.find(pattern) == std::string::npos) continue;
    auto test =
        with_fresh_engine(project, log, [&](Engine& engine) { return engine.test(job, name); });
    if (!test) return std::move(test.error());
    done(*test);
  }
  return Done{};
}

}  // namespace heddle::app
