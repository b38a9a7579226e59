#include "app/worker/worker_program.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <set>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "app/project/project_databases.hpp"
#include "app/project/project_source.hpp"
#include "app/scripts/debug_files.hpp"
#include "app/scripts/script_notification.hpp"
#include "app/worker/sealed_text.hpp"
#include "base/rethrow_bug.hpp"
#include "config/load_project.hpp"
#include "ipc/worker_messages.hpp"
#include "net/client.hpp"
#include "queue/local/store_queue.hpp"
#include "store/sqlite/sqlite_queries.hpp"
#include "supervise/child/child_link.hpp"
#include "worker/remote_gate.hpp"
#include "worker/remote_store.hpp"
#include "worker/worker.hpp"

namespace heddle::app {

namespace asio = boost::asio;

namespace {

// Enough to keep every cycle busy while the next batch is leased, few enough that a crash loses few
// leases.
std::size_t leases_for(const Job& job) {
  return static_cast<std::size_t>(job.workers) * 4 + 4;
}

// Operations that a script no longer waits for may still finish.
constexpr std::chrono::seconds kDetachedWorkLimit{2};

constexpr const char* kOomAdjustment = "/proc/self/oom_score_adj";
constexpr int kHighestOomScore = 1000;
// Counts like additional use of half of the machine's memory.
constexpr int kMoreOomScore = 500;

// Makes the kernel kill this process before its parent when memory runs out: the daemon replaces a
// worker, but killing the daemon ends all of them. Ignores failures.
void raise_oom_score() {
  int inherited = 0;
  if (!(std::ifstream(kOomAdjustment) >> inherited)) return;
  std::ofstream(kOomAdjustment) << std::min(kHighestOomScore, inherited + kMoreOomScore);
}

// Returns the exit status.
int report_failure(const Error& failure) {
  std::fprintf(stderr, "heddle: worker: %s\n", failure.message.c_str());
  return 1;
}

// Sends log lines of this process to the coordinator's log.
class CoordinatorLog final : public Log {
 public:
  CoordinatorLog(asio::any_io_executor loop, ipc::RpcPeer& coordinator)
      : loop_(std::move(loop)), coordinator_(coordinator) {}

  void write(const LogMessage& message) override {
    ipc::WorkerLogLine line{message.level, std::string(message.text),
                            std::string(message.about.job), message.is_in_job_log};
    // May run on any thread.
    asio::dispatch(loop_, [this, line = std::move(line)] {
      coordinator_.post(ipc::to_frame(ipc::WorkerMessage::log_line, line));
    });
  }

 private:
  asio::any_io_executor loop_;
  ipc::RpcPeer& coordinator_;
};

// Loads the project's valid jobs. Takes the text of heddle.toml that the coordinator has applied,
// so that a half-saved file or a pending change cannot give workers different settings. Returns
// `bad_input` when the text has errors.
Result<Project> load_valid_project(const std::filesystem::path& folder, std::string settings_text,
                                   const config::Environment& environment) {
  auto loaded = config::load_project(folder, environment, std::move(settings_text));
  if (const config::Problem* mistake = first_error(loaded.project_problems))
    return Error{ErrorCode::bad_input,
                 config::to_text(*mistake) + " (`heddle check` lists all errors)"};
  return std::move(loaded.project);
}

// The project with its coordinator's settings and jobs. Reloads the jobs when the coordinator asks
// for a version that it does not have.
class WorkerProject {
 public:
  static Result<WorkerProject> read(const WorkerArguments& arguments,
                                    const config::Environment& environment) {
    auto settings = read_sealed_text(FileDescriptor(kSettingsDescriptor));
    if (!settings) return std::move(settings).error().during("the daemon's settings");
    auto project = load_valid_project(arguments.project_dir, std::move(*settings), environment);
    if (!project) return std::move(project).error();
    project->data_dir = arguments.data_dir;
    return WorkerProject(arguments.project_dir, environment, std::move(*project));
  }

  [[nodiscard]] const Project& project() const { return project_; }

  // Adds secrets of reloaded jobs to the project's.
  Result<Job> find(const JobId& id, const std::string& version) {
    if (const Job* job = find_version(id, version)) return *job;
    auto project = load_valid_project(folder_, project_.settings_text, environment_);
    if (!project) return std::move(project).error();
    add_secrets(std::move(project->secrets));
    replace_jobs(std::move(project->jobs));
    if (const Job* job = find_version(id, version)) return *job;
    // The job has changed since the run began: the rest uses the new version.
    if (const Job* job = job_with_id(project_, id)) return *job;
    return Error{ErrorCode::conflict,
                 "job '" + id.text +
                     "' was removed or has errors since the run started: see `heddle check`"};
  }

 private:
  WorkerProject(std::filesystem::path folder, const config::Environment& environment,
                Project project)
      : folder_(std::move(folder)), environment_(environment), project_(std::move(project)) {}

  // Former secrets stay known: scripts and pages may still hold them.
  void add_secrets(std::vector<std::string> secrets) {
    const std::set<std::string> known(project_.secrets.begin(), project_.secrets.end());
    for (std::string& secret : secrets)
      if (!known.contains(secret)) project_.secrets.push_back(std::move(secret));
  }

  // A job whose file is now broken keeps its former version.
  void replace_jobs(std::vector<Job> jobs) {
    std::set<JobId> present;
    for (const Job& job : jobs) present.insert(job.id);
    for (Job& former : project_.jobs)
      if (!present.contains(former.id)) jobs.push_back(std::move(former));
    project_.jobs = std::move(jobs);
  }

  [[nodiscard]] const Job* find_version(const JobId& id, const std::string& version) const {
    const auto found =
        std::find_if(project_.jobs.begin(), project_.jobs.end(),
                     [&](const Job& job) { return job.id == id && job.version() == version; });
    return found == project_.jobs.end() ? nullptr : &*found;
  }

  std::filesystem::path folder_;
  const config::Environment& environment_;
  Project project_;
};

// Owns the parts of the process except its event loop. Never destroyed: active runs use it, and the
// process does not wait for them once the coordinator is gone.
class WorkerProgram {
 public:
  WorkerProgram(asio::io_context& loop, WorkerProject& files, store::SqliteQueries& views,
                std::unique_ptr<supervise::ChildLink> link)
      : loop_(loop),
        files_(files),
        link_(std::move(link)),
        peer_(std::shared_ptr<ipc::Channel>(std::shared_ptr<void>(), &link_->channel())),
        coordinator_log_(loop.get_executor(), peer_),
        log_(coordinator_log_, files.project().secrets),
        views_(views),
        store_(peer_, views),
        gate_(peer_) {}

  Status open() {
    const Project& project = files_.project();
    worker::WorkerContextParts parts{
        project, store_, gate_, clock_, log_, database_file(project), script_notifier(log_)};
    auto context = worker::WorkerContext::make(loop_.get_executor(), std::move(parts));
    if (!context) return std::move(context).error();
    context_ = std::move(*context);
    context_->activity().current_job_mark = &link_->work_word();
    worker::WorkerParts tools{peer_, gate_, *context_, {}, {}, {}, {}};
    tools.refresh_job = [this](const JobId& id) { return views_.refresh_job(id); };
    tools.find_job = [this](const JobId& id, const std::string& version) {
      const std::vector<std::string>& secrets = files_.project().secrets;
      const auto known = static_cast<std::ptrdiff_t>(secrets.size());
      auto job = files_.find(id, version);
      log_.add_secrets({secrets.begin() + known, secrets.end()});
      return job;
    };
    tools.make_queue = [this](const RunId& run, const Job& job) {
      return std::make_unique<queue::StoreQueue>(store_, run, clock_, leases_for(job));
    };
    tools.keep_artefacts = [this](const Job& job, const Task& task,
                                  const pipeline::Artefacts& artefacts) {
      auto written = write_debug_files(files_.project(), job, task, artefacts);
      if (!written) log_.warn(written.error().message);
    };
    worker_ = std::make_unique<worker::Worker>(loop_.get_executor(), std::move(tools));
    net::Client::warm_up();
    return Done{};
  }

  // Runs until it is drained or the coordinator is gone. Returns the exit status.
  Async<int> work() {
    // Waits until the process gets a slot; open() has done the slow work before.
    const auto assigned = co_await link_->assigned();
    // A spare exits normally when its coordinator is gone.
    if (!assigned) co_return assigned.error().code == ErrorCode::unavailable ? 0 : 1;
    link_->set_drain_handler([this] {
      link_->begin_draining();
      worker_->drain();
      asio::co_spawn(loop_, shut_down(), rethrow_bug);
    });
    link_->ready();
    ipc::RpcPeer::Receive receive = [this] { return link_->receive(); };
    ipc::RpcPeer::Handler handle = [this](const ipc::Frame& frame) {
      return worker_->handle(frame);
    };
    auto ended = co_await peer_.run(std::move(receive), std::move(handle));
    co_return ended.error().code == ErrorCode::unavailable ? 0 : 1;
  }

 private:
  Async<void> shut_down() {
    co_await worker_->idle();
    co_await context_->finish_detached_work(std::chrono::steady_clock::now() + kDetachedWorkLimit);
    co_await link_->channel().flushed();
    peer_.close();  // ends work()
  }

  asio::io_context& loop_;
  WorkerProject& files_;
  SystemClock clock_;
  std::unique_ptr<supervise::ChildLink> link_;
  ipc::RpcPeer peer_;
  CoordinatorLog coordinator_log_;
  RedactingLog log_;
  store::SqliteQueries& views_;
  worker::RemoteStore store_;
  worker::RemoteGate gate_;
  std::unique_ptr<worker::WorkerContext> context_;
  std::unique_ptr<worker::Worker> worker_;
};

// Returns the exit status. `program` outlives the coroutine.
Async<int> run_worker_program(asio::io_context& loop, WorkerProject& files,
                              store::SqliteQueries& views,
                              std::unique_ptr<WorkerProgram>& program) {
  auto link = co_await supervise::ChildLink::attach();
  if (!link) {
    std::fprintf(stderr, "heddle %s: %s; use `heddle up` or `heddle run`\n", kWorkerArgument,
                 link.error().message.c_str());
    co_return 1;
  }
  program = std::make_unique<WorkerProgram>(loop, files, views, std::move(*link));
  auto opened = program->open();
  if (!opened) co_return report_failure(opened.error());
  co_return co_await program->work();
}

}  // namespace

std::vector<std::string> to_arguments(const WorkerArguments& arguments) {
  return {kWorkerArgument, arguments.project_dir.string(),
          std::to_string(arguments.coordinator.version), arguments.coordinator.build,
          arguments.data_dir.string()};
}

// Another build may have written them: missing values stay empty, and check_handshake() rejects
// them.
WorkerArguments read_arguments(const std::vector<std::string>& arguments) {
  WorkerArguments parsed;
  parsed.coordinator = {.version = 0, .role = "daemon"};
  if (arguments.size() > 1) parsed.project_dir = arguments[1];
  if (arguments.size() > 2) {
    const std::string& version = arguments[2];
    std::from_chars(version.data(), version.data() + version.size(), parsed.coordinator.version);
  }
  if (arguments.size() > 3) parsed.coordinator.build = arguments[3];
  if (arguments.size() > 4) parsed.data_dir = arguments[4];
  return parsed;
}

int run_worker(const WorkerArguments& arguments, const config::Environment& environment) {
  raise_oom_score();
  const auto fits =
      ipc::check_handshake(arguments.coordinator, ipc::make_handshake("worker", HEDDLE_VERSION));
  if (!fits) return report_failure(fits.error());
  auto files = WorkerProject::read(arguments, environment);
  if (!files) return report_failure(files.error());
  auto views = store::SqliteQueries::open(database_file(files->project()));
  if (!views) return report_failure(views.error());
  asio::io_context loop(1);
  std::unique_ptr<WorkerProgram> program;
  int status = 1;
  asio::co_spawn(loop, run_worker_program(loop, *files, **views, program),
                 [&](const std::exception_ptr& bug, int ended) {
                   rethrow_bug(bug);
                   status = ended;
                   loop.stop();
                 });
  loop.run();
  // Pages in flight still use these objects and cannot be stored any more, so no destructor runs.
  std::fflush(nullptr);
  std::_Exit(status);
}

}  // namespace heddle::app
