#include "app/worker_program.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <memory>
#include <set>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "app/debug_files.hpp"
#include "app/engine.hpp"
#include "app/handed_text.hpp"
#include "app/memory_victim.hpp"
#include "app/program_environment.hpp"
#include "app/read_sound_project.hpp"
#include "app/script_notes.hpp"
#include "base/redact.hpp"
#include "base/rethrow_bug.hpp"
#include "ipc/messages/worker_message_values.hpp"
#include "net/client.hpp"
#include "queue/local/store_queue.hpp"
#include "store/sqlite/sqlite_views.hpp"
#include "supervise/child_link.hpp"
#include "worker/remote_gate.hpp"
#include "worker/remote_store.hpp"
#include "worker/worker.hpp"

namespace heddle::app {

namespace asio = boost::asio;

namespace {

// Enough to keep every worker busy while the next handful is fetched, few enough that a crash
// leaves little to hand out again.
std::size_t leases_for(const Job& job) {
  return static_cast<std::size_t>(job.workers) * 4 + 4;
}

// A script that gave up on a file or a statement has been told that it may still be done.
constexpr std::chrono::seconds kTimeForLateWork{2};

// Lines of this process appear in the coordinator's log, in their order with everything else.
class CoordinatorLog final : public Log {
 public:
  CoordinatorLog(asio::any_io_executor loop, ipc::Caller& coordinator,
                 std::vector<std::string> secrets)
      : loop_(std::move(loop)), coordinator_(coordinator), secrets_(std::move(secrets)) {}

  void write(LogLevel level, std::string_view message) override {
    ipc::LogLine line{level, redact(message, secrets_)};
    // From any thread.
    asio::dispatch(loop_, [this, line = std::move(line)] {
      coordinator_.post(ipc::to_frame(ipc::WorkerMessage::log_line, line));
    });
  }

 private:
  asio::any_io_executor loop_;
  ipc::Caller& coordinator_;
  std::vector<std::string> secrets_;
};

// The project with its coordinator's settings and the jobs as this process has read them; those are
// read again when the coordinator knows a newer version.
class ProjectFiles {
 public:
  static Result<ProjectFiles> read(const WorkerOrder& order,
                                   const config::Environment& environment) {
    auto settings = read_handed_text(FileDescriptor(kSettingsDescriptor));
    if (!settings) return std::move(settings).error().during("the coordinator's settings");
    auto project = read_sound_project(order.project_dir, std::move(*settings), environment);
    if (!project) return std::move(project).error();
    project->data_dir = order.data_dir;
    return ProjectFiles(order.project_dir, environment, std::move(*project));
  }

  [[nodiscard]] const Project& project() const { return project_; }

  Result<Job> find(const JobId& id, const std::string& revision) {
    if (const Job* job = find_revision(id, revision)) return *job;
    auto project = read_sound_project(folder_, project_.settings_text, environment_);
    if (!project) return std::move(project).error();
    take_up(std::move(project->jobs));
    if (const Job* job = find_revision(id, revision)) return *job;
    // It has changed since the run began: the rest is done with what it says now.
    const auto same = std::find_if(project_.jobs.begin(), project_.jobs.end(),
                                   [&id](const Job& job) { return job.id == id; });
    if (same != project_.jobs.end()) return *same;
    return Error{ErrorCode::conflict, "job '" + id.text +
                                          "' has vanished or has mistakes since the run began: see "
                                          "`heddle check`"};
  }

 private:
  ProjectFiles(std::filesystem::path folder, const config::Environment& environment,
               Project project)
      : folder_(std::move(folder)), environment_(environment), project_(std::move(project)) {}

  // A job whose file is broken now keeps its former version.
  void take_up(std::vector<Job> jobs) {
    std::set<JobId> there;
    for (const Job& job : jobs) there.insert(job.id);
    for (Job& former : project_.jobs)
      if (!there.contains(former.id)) jobs.push_back(std::move(former));
    project_.jobs = std::move(jobs);
  }

  [[nodiscard]] const Job* find_revision(const JobId& id, const std::string& revision) const {
    const auto found =
        std::find_if(project_.jobs.begin(), project_.jobs.end(),
                     [&](const Job& job) { return job.id == id && job.revision == revision; });
    return found == project_.jobs.end() ? nullptr : &*found;
  }

  std::filesystem::path folder_;
  const config::Environment& environment_;
  Project project_;
};

// Everything of the process but its event loop. Lives until the process ends: runs under way use
// it, and nobody waits for them once the coordinator is gone.
class WorkerProgram {
 public:
  WorkerProgram(asio::io_context& loop, ProjectFiles& files, store::SqliteViews& views,
                std::unique_ptr<supervise::ChildLink> link)
      : loop_(loop),
        files_(files),
        link_(std::move(link)),
        caller_(std::shared_ptr<ipc::Channel>(std::shared_ptr<void>(), &link_->channel())),
        log_(loop.get_executor(), caller_, files.project().secrets),
        views_(views),
        store_(caller_, views),
        gate_(caller_),
        desktop_(program_environment(), log_) {}

  Status open() {
    const Project& project = files_.project();
    worker::WorkshopParts parts{project, store_, gate_, clock_, log_, database_file(project), {}};
    parts.notify = [this](script::NotifyWant want) { return show_note(desktop_, std::move(want)); };
    auto shop = worker::Workshop::make(loop_.get_executor(), std::move(parts));
    if (!shop) return std::move(shop).error();
    shop_ = std::move(*shop);
    shop_->share().shown_work = &link_->work_word();
    worker::WorkerParts tools{caller_, gate_, *shop_, {}, {}, {}, {}};
    tools.look_up_anew = [this](const JobId& id) { return views_.look_up_anew(id); };
    tools.find_job = [this](const JobId& id, const std::string& revision) {
      return files_.find(id, revision);
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

  // Until it has something to do. Everything that takes time is done before.
  Async<Status> assigned() { return link_->assigned(); }

  // Until it has done what it was asked to finish before it leaves, or the coordinator is gone. The
  // exit status.
  Async<int> work() {
    link_->set_drain_handler([this] {
      link_->begin_draining();
      worker_->drain();
      asio::co_spawn(loop_, leave(), rethrow_bug);
    });
    link_->ready();
    ipc::Caller::Receive receive = [this] { return link_->receive(); };
    ipc::Caller::Handler handle = [this](const ipc::Frame& frame) {
      return worker_->handle(frame);
    };
    auto ended = co_await caller_.run(std::move(receive), std::move(handle));
    co_return ended.error().code == ErrorCode::unavailable ? 0 : 1;
  }

 private:
  Async<void> leave() {
    co_await worker_->idle();
    co_await shop_->wind_up(std::chrono::steady_clock::now() + kTimeForLateWork);
    co_await link_->channel().flushed();
    caller_.close();  // ends work()
  }

  asio::io_context& loop_;
  ProjectFiles& files_;
  SystemClock clock_;
  std::unique_ptr<supervise::ChildLink> link_;
  ipc::Caller caller_;
  CoordinatorLog log_;
  store::SqliteViews& views_;
  worker::RemoteStore store_;
  worker::RemoteGate gate_;
  notify::Desktop desktop_;
  std::unique_ptr<worker::Workshop> shop_;
  std::unique_ptr<worker::Worker> worker_;
};

// The exit status. What it makes stays in `program`.
Async<int> be_worker(asio::io_context& loop, ProjectFiles& files, store::SqliteViews& views,
                     std::unique_ptr<WorkerProgram>& program) {
  auto link = co_await supervise::ChildLink::attach();
  if (!link) {
    std::fprintf(stderr, "heddle %s: %s; use `heddle up` or `heddle run`\n", kWorkerArgument,
                 link.error().message.c_str());
    co_return 1;
  }
  program = std::make_unique<WorkerProgram>(loop, files, views, std::move(*link));
  auto opened = program->open();
  if (!opened) {
    std::fprintf(stderr, "heddle: worker: %s\n", opened.error().message.c_str());
    co_return 1;
  }
  const auto assigned = co_await program->assigned();
  // A spare whose coordinator has left leaves, too.
  if (!assigned) co_return assigned.error().code == ErrorCode::unavailable ? 0 : 1;
  co_return co_await program->work();
}

}  // namespace

std::vector<std::string> to_arguments(const WorkerOrder& order) {
  return {kWorkerArgument, order.project_dir.string(), std::to_string(order.coordinator.version),
          order.coordinator.build, order.data_dir.string()};
}

// Another program may have written them: what is missing stays empty and is found by check_hello().
WorkerOrder read_arguments(const std::vector<std::string>& arguments) {
  WorkerOrder order;
  order.coordinator = {.version = 0, .role = "coordinator"};
  if (arguments.size() > 1) order.project_dir = arguments[1];
  if (arguments.size() > 2) {
    const std::string& version = arguments[2];
    std::from_chars(version.data(), version.data() + version.size(), order.coordinator.version);
  }
  if (arguments.size() > 3) order.coordinator.build = arguments[3];
  if (arguments.size() > 4) order.data_dir = arguments[4];
  return order;
}

int run_worker(const WorkerOrder& order, const config::Environment& environment) {
  end_before_the_daemon_when_memory_is_short();
  const auto fits = ipc::check_hello(order.coordinator, ipc::make_hello("worker", HEDDLE_VERSION));
  if (!fits) {
    std::fprintf(stderr, "heddle: worker: %s\n", fits.error().message.c_str());
    return 1;
  }
  auto files = ProjectFiles::read(order, environment);
  if (!files) {
    std::fprintf(stderr, "heddle: worker: %s\n", files.error().message.c_str());
    return 1;
  }
  auto views = store::SqliteViews::open(database_file(files->project()));
  if (!views) {
    std::fprintf(stderr, "heddle: worker: %s\n", views.error().message.c_str());
    return 1;
  }
  asio::io_context loop(1);
  std::unique_ptr<WorkerProgram> program;
  int status = 1;
  asio::co_spawn(loop, be_worker(loop, *files, **views, program),
                 [&](const std::exception_ptr& bug, int ended) {
                   rethrow_bug(bug);
                   status = ended;
                   loop.stop();
                 });
  loop.run();
  // Pages in flight still use all of the above and cannot be stored any more: nothing of it is
  // taken down under them.
  std::fflush(nullptr);
  std::_Exit(status);
}

}  // namespace heddle::app
