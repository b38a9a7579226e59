#include "app/daemon/coordinator_runtime.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/client/engine.hpp"
#include "app/project/program_environment.hpp"
#include "app/worker/sealed_text.hpp"
#include "app/worker/worker_program.hpp"
#include "net/hosts/local_host_gate.hpp"
#include "process/find_shepherd.hpp"
#include "store/sqlite/sqlite_store.hpp"

namespace heddle::app {

namespace asio = boost::asio;

namespace {

std::string own_program() {
  std::error_code failed;
  auto path = std::filesystem::read_symlink("/proc/self/exe", failed);
  return failed ? "/proc/self/exe" : path.string();
}

std::vector<std::string> own_environment() {
  std::vector<std::string> variables;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable)
    variables.emplace_back(*variable);
  return variables;
}

// The start parameters of workers that are not part of the project.
struct WorkerLaunch {
  std::string program;
  FileDescriptor settings_text{};  // open while workers may be started
  std::uint64_t settings_version = 0;
};

// Covers what a worker reads only at its start; it reloads jobs whenever their revision changes.
std::string version_of(const WorkerLaunch& launch) {
  struct stat facts {};
  if (stat(launch.program.c_str(), &facts) != 0) return {};
  return fmt::format("{} {} {}.{} {}", facts.st_ino, facts.st_size, facts.st_mtim.tv_sec,
                     facts.st_mtim.tv_nsec, launch.settings_version);
}

supervise::SlotSpec worker_slot(const Project& project, const std::shared_ptr<WorkerLaunch>& launch,
                                int number) {
  const RecoveryRules& recovery = project.recovery;
  supervise::SlotSpec slot;
  slot.name = fmt::format("worker {}", number);
  slot.number = number;
  slot.argv = to_arguments({std::filesystem::absolute(project.root),
                            std::filesystem::absolute(project.data_dir),
                            ipc::make_handshake("coordinator", HEDDLE_VERSION)});
  slot.argv.insert(slot.argv.begin(), launch->program);
  slot.environment = own_environment();
  slot.descriptors = {{STDERR_FILENO, STDERR_FILENO},
                      {launch->settings_text.get(), kSettingsDescriptor}};
  slot.recover = true;
  slot.restart =
      supervise::RestartPolicy{recovery.delay, recovery.backoff, recovery.backoff_cap,
                               static_cast<std::size_t>(recovery.max_restarts), recovery.window};
  slot.hang_timeout = recovery.hang_timeout;
  slot.drain_timeout = project.daemon.shutdown_timeout;
  slot.recycle = {project.daemon.recycle_after, project.daemon.recycle_rss};
  slot.may_overlap = true;
  slot.version = [launch] { return version_of(*launch); };
  return slot;
}

// Killed processes exit sooner.
constexpr std::chrono::seconds kKillGrace{2};

Rotation rotation_of(const Project& project) {
  Rotation rotation;
  rotation.max_bytes = static_cast<std::uint64_t>(project.log.size);
  rotation.keep = project.log.keep;
  return rotation;
}

commands::OutputLogRules output_log_rules(const Project& project) {
  commands::OutputLogRules rules;
  rules.file_of = [folder = project.data_dir](const JobId& job) {
    return folder / "jobs" / job.text / "output.log";
  };
  rules.rotation = rotation_of(project);
  rules.secrets = project.secrets;
  return rules;
}

Result<std::unique_ptr<net::Client>> client_for_messages(asio::io_context& loop,
                                                         const Project& project) {
  net::ClientSettings settings;
  settings.network = project.network;
  settings.hosts = project.hosts;
  return net::Client::make(loop.get_executor(), std::move(settings));
}

// Each program needs several descriptors, and many may run at once. Returns the former limit; 0:
// unchanged.
std::uint64_t allow_many_descriptors() {
  constexpr rlim_t kPlenty = 65'536;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= kPlenty) return 0;
  const rlim_t before = std::exchange(limit.rlim_cur, std::min(limit.rlim_max, kPlenty));
  return setrlimit(RLIMIT_NOFILE, &limit) == 0 ? before : 0;
}

}  // namespace

struct CoordinatorRuntime::Parts {
  Parts(asio::io_context& loop_in, Project project_in, std::unique_ptr<store::SqliteStore> store_in,
        std::unique_ptr<net::Client> client_in, Log& log)
      : loop(loop_in),
        project(std::move(project_in)),
        store(std::move(store_in)),
        client(std::move(client_in)),
        gate(loop.get_executor(), {project.per_host, project.per_host_delay}, project.hosts),
        dispatcher(loop.get_executor(), {*store, gate, log, project.recovery.poison_limit}),
        supervisor(loop.get_executor(), log, clock, &dispatcher),
        page_executor(dispatcher, *store, clock),
        output_log(output_log_rules(project)) {}

  void add_executor(bool waits_for_store, Log& log) {
    auto shepherd = process::find_shepherd();
    if (shepherd)
      process_environment.shepherd = std::move(*shepherd);
    else
      log.warn("no program of a job can be started: " + shepherd.error().message);
    process_environment.daemon_environment = program_environment();
    hub::CommandRunExecutorParts its_parts{page_executor,       *store, *store, metrics->programs,
                                           process_environment, clock,  log,    waits_for_store};
    executor = std::make_unique<hub::CommandRunExecutor>(loop.get_executor(), its_parts);
  }

  [[nodiscard]] supervise::SlotSpec spec_of(int number) const {
    supervise::SlotSpec slot = worker_slot(project, launch, number);
    if (has_spare) slot.spare_kind = "worker";
    return slot;
  }
  [[nodiscard]] supervise::SlotSpec isolated_spec() const {
    supervise::SlotSpec slot = spec_of(static_cast<int>(slots.size()) + 1);
    slot.kind = supervise::SlotKind::isolated;
    slot.name = "worker for suspect jobs";
    return slot;
  }

  void add_slots(int processes) {
    for (int number = 1; number <= processes; ++number)
      slots.push_back(supervisor.add(spec_of(number)));
    if (has_spare) isolated = supervisor.add(isolated_spec());
    dispatcher.attach(supervisor, isolated);
  }

  void change_slots(int processes, bool renew) {
    const auto target = static_cast<std::size_t>(processes);
    for (; slots.size() > target; slots.pop_back()) supervisor.retire(slots.back());
    const auto change = [&](supervise::SlotId slot, supervise::SlotSpec spec) {
      renew ? supervisor.renew(slot, std::move(spec)) : supervisor.update(slot, std::move(spec));
    };
    for (std::size_t i = 0; i < slots.size(); ++i)
      change(slots[i], spec_of(static_cast<int>(i) + 1));
    while (slots.size() < target) {
      slots.push_back(supervisor.add(spec_of(static_cast<int>(slots.size()) + 1)));
      // A failed start emits an event, and the supervisor retries it.
      static_cast<void>(supervisor.start(slots.back()));
    }
    if (isolated) change(*isolated, isolated_spec());
  }

  asio::io_context& loop;
  Project project;                                                          // without its jobs
  std::shared_ptr<WorkerLaunch> launch = std::make_shared<WorkerLaunch>();  // shared with the specs
  bool has_spare = false;
  SystemClock clock;
  std::unique_ptr<store::SqliteStore> store;
  std::shared_ptr<net::Client> client;  // shared with messages that are being sent
  net::LocalHostGate gate;
  hub::RunDispatcher dispatcher;
  supervise::Supervisor supervisor;
  hub::PageRunExecutor page_executor;
  commands::OutputLog output_log;
  commands::LaunchContext process_environment{{}, {}, output_log};
  std::unique_ptr<hub::CommandRunExecutor> executor;
  std::vector<supervise::SlotId> slots;
  std::optional<supervise::SlotId> isolated;
  std::shared_ptr<hub::Metrics> metrics;  // shared with the store's writer
};

CoordinatorRuntime::CoordinatorRuntime(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
CoordinatorRuntime::~CoordinatorRuntime() = default;

Result<std::unique_ptr<CoordinatorRuntime>> CoordinatorRuntime::open(
    asio::io_context& loop, Project project, const CoordinatorSettings& settings, Log& log) {
  const std::uint64_t descriptors_before = allow_many_descriptors();
  store::SqliteOptions options;
  options.log = &log;
  options.known_keys_bytes = 0;  // workers query keys and cache the answers
  const auto metrics = std::make_shared<hub::Metrics>();
  options.on_commit = [metrics](std::chrono::nanoseconds time) { metrics->commits.observe(time); };
  auto store = store::SqliteStore::open(database_file(project), options);
  if (!store) return std::move(store).error();
  project.jobs.clear();
  auto client = client_for_messages(loop, project);
  if (!client) return std::move(client).error();
  auto parts =
      std::make_unique<Parts>(loop, std::move(project), std::move(*store), std::move(*client), log);
  auto settings_text = make_sealed_text(parts->project.settings_text);
  if (!settings_text) return std::move(settings_text).error();
  parts->launch->settings_text = std::move(*settings_text);
  parts->launch->program = settings.program.empty() ? own_program() : settings.program.string();
  parts->has_spare = settings.has_spare;
  parts->metrics = metrics;
  parts->add_slots(settings.processes);
  parts->process_environment.descriptor_limit = descriptors_before;
  parts->add_executor(settings.waits_for_store, log);
  return std::unique_ptr<CoordinatorRuntime>(new CoordinatorRuntime(std::move(parts)));
}

Status CoordinatorRuntime::apply_settings(Project project, int processes, bool renew_workers) {
  project.jobs.clear();
  auto client = client_for_messages(parts_->loop, project);
  if (!client) return std::move(client).error();
  auto sealed = replace_sealed_text(parts_->launch->settings_text, project.settings_text);
  if (!sealed) return sealed;
  parts_->project = std::move(project);
  const Project& now = parts_->project;
  parts_->client = std::move(*client);
  parts_->output_log.set_rules(rotation_of(now), now.secrets);
  parts_->gate.set_limits({now.per_host, now.per_host_delay}, now.hosts);
  parts_->dispatcher.crash_tracker().set_poison_limit(now.recovery.poison_limit);
  if (renew_workers) {
    ++parts_->launch->settings_version;
    parts_->dispatcher.exclude_ready_workers();
  }
  parts_->change_slots(processes, renew_workers);
  return Done{};
}

Status CoordinatorRuntime::start() {
  std::size_t started = 0;
  Status failure = Done{};
  for (const supervise::SlotId slot : parts_->slots) {
    auto status = parts_->supervisor.start(slot);
    if (status)
      ++started;
    else
      failure = std::move(status);
  }
  return started > 0 ? Done{} : std::move(failure);
}

hub::CommandRunExecutor& CoordinatorRuntime::executor() {
  return *parts_->executor;
}

hub::PageRunExecutor& CoordinatorRuntime::page_executor() {
  return parts_->page_executor;
}

hub::RunDispatcher& CoordinatorRuntime::dispatcher() {
  return parts_->dispatcher;
}

store::Store& CoordinatorRuntime::store() {
  return *parts_->store;
}

store::History& CoordinatorRuntime::history() {
  return *parts_->store;
}

supervise::Supervisor& CoordinatorRuntime::supervisor() {
  return parts_->supervisor;
}

const Clock& CoordinatorRuntime::clock() const {
  return parts_->clock;
}

hub::Metrics& CoordinatorRuntime::metrics() {
  return *parts_->metrics;
}

std::size_t CoordinatorRuntime::processes() const {
  return parts_->slots.size();
}

std::shared_ptr<net::Client> CoordinatorRuntime::client() {
  return parts_->client;
}

Async<supervise::StopReport> CoordinatorRuntime::shut_down(Deadline deadline) {
  parts_->dispatcher.begin_shutdown();
  parts_->executor->shut_down();
  parts_->supervisor.begin_shutdown(deadline);
  auto report = co_await parts_->supervisor.shutdown_ended();
  co_await parts_->executor->idle(deadline);
  parts_->executor->kill_all();
  co_await parts_->executor->idle(std::chrono::steady_clock::now() + kKillGrace);
  co_await parts_->page_executor.idle();
  co_return report;
}

}  // namespace heddle::app
