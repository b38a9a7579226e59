#include "app/coordinator.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/engine.hpp"
#include "app/handed_text.hpp"
#include "app/program_environment.hpp"
#include "app/worker_program.hpp"
#include "net/local_host_gate.hpp"
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

// What workers are started with, besides the project's own rules for them.
struct WorkerBirth {
  std::string program;
  FileDescriptor settings_text{};  // for as long as one may be started
  std::uint64_t settings_version = 0;
};

// All that a worker has only when it starts; jobs are looked up again whenever their revision is
// not the known one.
std::string version_of(const WorkerBirth& birth) {
  struct stat facts {};
  if (stat(birth.program.c_str(), &facts) != 0) return {};
  return fmt::format("{} {} {}.{} {}", facts.st_ino, facts.st_size, facts.st_mtim.tv_sec,
                     facts.st_mtim.tv_nsec, birth.settings_version);
}

supervise::SlotSpec worker_slot(const Project& project, const std::shared_ptr<WorkerBirth>& birth,
                                int number) {
  const RecoveryRules& recovery = project.recovery;
  supervise::SlotSpec slot;
  slot.name = fmt::format("worker {}", number);
  slot.number = number;
  slot.argv = to_arguments({std::filesystem::absolute(project.root),
                            std::filesystem::absolute(project.data_dir),
                            ipc::make_hello("coordinator", HEDDLE_VERSION)});
  slot.argv.insert(slot.argv.begin(), birth->program);
  slot.environment = own_environment();
  slot.descriptors = {{STDERR_FILENO, STDERR_FILENO},
                      {birth->settings_text.get(), kSettingsDescriptor}};
  slot.recover = true;
  slot.restart =
      supervise::RestartRules{recovery.delay, recovery.backoff, recovery.backoff_cap,
                              static_cast<std::size_t>(recovery.max_restarts), recovery.window};
  slot.hang_timeout = recovery.hang_timeout;
  slot.drain_timeout = project.daemon.shutdown_timeout;
  slot.recycle = {project.daemon.recycle_after, project.daemon.recycle_rss};
  slot.may_overlap = true;
  slot.version = [birth] { return version_of(*birth); };
  return slot;
}

// What is killed is gone sooner than that.
constexpr std::chrono::seconds kTimeToDie{2};

Rotation rotation_of(const Project& project) {
  Rotation rotation;
  rotation.max_bytes = static_cast<std::uint64_t>(project.log.size);
  rotation.keep = project.log.keep;
  return rotation;
}

commands::BookRules book_rules(const Project& project) {
  commands::BookRules rules;
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

// Each program takes a handful of descriptors, and many may run at once. Returns how many were
// allowed before; 0: as many as now.
std::uint64_t allow_many_descriptors() {
  constexpr rlim_t kPlenty = 65'536;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= kPlenty) return 0;
  const rlim_t before = std::exchange(limit.rlim_cur, std::min(limit.rlim_max, kPlenty));
  return setrlimit(RLIMIT_NOFILE, &limit) == 0 ? before : 0;
}

}  // namespace

struct Coordinator::Parts {
  Parts(asio::io_context& loop_in, Project project_in, std::unique_ptr<store::SqliteStore> store_in,
        std::unique_ptr<net::Client> client_in, Log& log)
      : loop(loop_in),
        project(std::move(project_in)),
        store(std::move(store_in)),
        client(std::move(client_in)),
        gate(loop.get_executor(), {project.per_host, project.per_host_delay}, project.hosts),
        desk(loop.get_executor(), {*store, gate, log, project.recovery.poison_limit}),
        supervisor(loop.get_executor(), log, clock, &desk),
        runs(desk, *store, clock),
        book(book_rules(project)) {}

  void add_programs(bool waits_for_store, Log& log) {
    auto shepherd = process::find_shepherd();
    if (shepherd)
      house.shepherd = std::move(*shepherd);
    else
      log.warn("no program of a job can be started: " + shepherd.error().message);
    house.daemon = program_environment();
    hub::ProgramRunsParts its_parts{runs,  *store, *store, metrics->programs,
                                    house, clock,  log,    waits_for_store};
    programs = std::make_unique<hub::ProgramRuns>(loop.get_executor(), its_parts);
  }

  [[nodiscard]] supervise::SlotSpec spec_of(int number) const {
    supervise::SlotSpec slot = worker_slot(project, birth, number);
    if (has_spare) slot.spare_kind = "worker";
    return slot;
  }
  [[nodiscard]] supervise::SlotSpec spec_of_alone() const {
    supervise::SlotSpec slot = spec_of(static_cast<int>(slots.size()) + 1);
    slot.name = "worker for suspect jobs";
    return slot;
  }

  void add_slots(int processes) {
    for (int number = 1; number <= processes; ++number)
      slots.push_back(supervisor.add(spec_of(number)));
    if (has_spare) alone = supervisor.add(spec_of_alone());
    desk.attach(supervisor, alone);
  }

  void change_slots(int processes, bool renews) {
    const auto wanted = static_cast<std::size_t>(processes);
    for (; slots.size() > wanted; slots.pop_back()) supervisor.retire(slots.back());
    const auto change = [&](supervise::SlotId slot, supervise::SlotSpec spec) {
      renews ? supervisor.renew(slot, std::move(spec)) : supervisor.update(slot, std::move(spec));
    };
    for (std::size_t i = 0; i < slots.size(); ++i)
      change(slots[i], spec_of(static_cast<int>(i) + 1));
    while (slots.size() < wanted) {
      slots.push_back(supervisor.add(spec_of(static_cast<int>(slots.size()) + 1)));
      // One that cannot be started is tried again by its own rules, and is told by an event.
      static_cast<void>(supervisor.start(slots.back()));
    }
    if (alone) change(*alone, spec_of_alone());
  }

  asio::io_context& loop;
  Project project;                                                       // without its jobs
  std::shared_ptr<WorkerBirth> birth = std::make_shared<WorkerBirth>();  // shared with the specs
  bool has_spare = false;
  SystemClock clock;
  std::unique_ptr<store::SqliteStore> store;
  std::shared_ptr<net::Client> client;  // shared with messages that are being sent
  net::LocalHostGate gate;
  hub::RunDesk desk;
  supervise::Supervisor supervisor;
  hub::JobRuns runs;
  commands::OutputBook book;
  commands::ProgramHouse house{{}, {}, book};
  std::unique_ptr<hub::ProgramRuns> programs;
  std::vector<supervise::SlotId> slots;
  std::optional<supervise::SlotId> alone;
  std::shared_ptr<hub::Metrics> metrics;  // shared with the store's writer
};

Coordinator::Coordinator(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Coordinator::~Coordinator() = default;

Result<std::unique_ptr<Coordinator>> Coordinator::open(asio::io_context& loop, Project project,
                                                       const CoordinatorSettings& settings,
                                                       Log& log) {
  const std::uint64_t descriptors_before = allow_many_descriptors();
  store::SqliteOptions options;
  options.log = &log;
  options.known_keys_bytes = 0;  // workers ask, and remember what they were told
  const auto metrics = std::make_shared<hub::Metrics>();
  options.on_commit = [metrics](std::chrono::nanoseconds time) { metrics->commits.observe(time); };
  auto store = store::SqliteStore::open(database_file(project), options);
  if (!store) return std::move(store).error();
  project.jobs.clear();
  auto client = client_for_messages(loop, project);
  if (!client) return std::move(client).error();
  auto parts =
      std::make_unique<Parts>(loop, std::move(project), std::move(*store), std::move(*client), log);
  auto settings_text = make_handed_text(parts->project.settings_text);
  if (!settings_text) return std::move(settings_text).error();
  parts->birth->settings_text = std::move(*settings_text);
  parts->birth->program = settings.program.empty() ? own_program() : settings.program.string();
  parts->has_spare = settings.has_spare;
  parts->metrics = metrics;
  parts->add_slots(settings.processes);
  parts->house.descriptor_limit = descriptors_before;
  parts->add_programs(settings.waits_for_store, log);
  return std::unique_ptr<Coordinator>(new Coordinator(std::move(parts)));
}

Status Coordinator::take_up(Project project, int processes, bool renews_workers) {
  project.jobs.clear();
  auto client = client_for_messages(parts_->loop, project);
  if (!client) return std::move(client).error();
  auto handed = replace_handed_text(parts_->birth->settings_text, project.settings_text);
  if (!handed) return handed;
  parts_->project = std::move(project);
  const Project& now = parts_->project;
  parts_->client = std::move(*client);
  parts_->book.set_rules(rotation_of(now), now.secrets);
  parts_->gate.set_limits({now.per_host, now.per_host_delay}, now.hosts);
  parts_->desk.suspects().set_poison_limit(now.recovery.poison_limit);
  if (renews_workers) {
    ++parts_->birth->settings_version;
    parts_->desk.let_all_rest();
  }
  parts_->change_slots(processes, renews_workers);
  return Done{};
}

Status Coordinator::start() {
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

hub::ProgramRuns& Coordinator::runs() {
  return *parts_->programs;
}

hub::JobRuns& Coordinator::page_runs() {
  return parts_->runs;
}

hub::RunDesk& Coordinator::desk() {
  return parts_->desk;
}

store::Store& Coordinator::store() {
  return *parts_->store;
}

store::History& Coordinator::history() {
  return *parts_->store;
}

supervise::Supervisor& Coordinator::supervisor() {
  return parts_->supervisor;
}

const Clock& Coordinator::clock() const {
  return parts_->clock;
}

hub::Metrics& Coordinator::metrics() {
  return *parts_->metrics;
}

std::size_t Coordinator::processes() const {
  return parts_->slots.size();
}

std::shared_ptr<net::Client> Coordinator::client() {
  return parts_->client;
}

Async<supervise::ShutdownReport> Coordinator::shut_down(Deadline deadline) {
  parts_->desk.begin_shutdown();
  parts_->programs->leave();
  parts_->supervisor.begin_shutdown(deadline);
  auto report = co_await parts_->supervisor.shutdown_ended();
  co_await parts_->programs->idle(deadline);
  parts_->programs->abandon();
  co_await parts_->programs->idle(std::chrono::steady_clock::now() + kTimeToDie);
  co_await parts_->runs.idle();
  co_return report;
}

}  // namespace heddle::app
