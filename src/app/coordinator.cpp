#include "app/coordinator.hpp"

#include <utility>

#include <boost/asio/io_context.hpp>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/engine.hpp"
#include "app/handed_text.hpp"
#include "app/worker_program.hpp"
#include "net/local_host_gate.hpp"
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

// All that a worker has only when it starts; jobs are looked up again whenever their revision is
// not the known one.
std::string version_of(const std::string& program) {
  struct stat facts {};
  if (stat(program.c_str(), &facts) != 0) return {};
  return fmt::format("{} {} {}.{}", facts.st_ino, facts.st_size, facts.st_mtim.tv_sec,
                     facts.st_mtim.tv_nsec);
}

supervise::SlotSpec worker_slot(const Project& project, const CoordinatorSettings& settings,
                                const FileDescriptor& settings_text, int number) {
  const RecoveryRules& recovery = project.recovery;
  supervise::SlotSpec slot;
  slot.name = fmt::format("worker {}", number);
  slot.number = number;
  const std::string program = settings.program.empty() ? own_program() : settings.program.string();
  slot.argv = to_arguments(
      {std::filesystem::absolute(project.root), ipc::make_hello("coordinator", HEDDLE_VERSION)});
  slot.argv.insert(slot.argv.begin(), program);
  slot.environment = own_environment();
  slot.descriptors = {{STDERR_FILENO, STDERR_FILENO}, {settings_text.get(), kSettingsDescriptor}};
  slot.recover = true;
  slot.restart =
      supervise::RestartRules{recovery.delay, recovery.backoff, recovery.backoff_cap,
                              static_cast<std::size_t>(recovery.max_restarts), recovery.window};
  slot.hang_timeout = recovery.hang_timeout;
  slot.drain_timeout = project.daemon.shutdown_timeout;
  slot.recycle = {project.daemon.recycle_after, project.daemon.recycle_rss};
  slot.may_overlap = true;
  slot.version = [program] { return version_of(program); };
  return slot;
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
        runs(desk, *store, clock) {}

  void add_slots(const CoordinatorSettings& settings) {
    for (int number = 1; number <= settings.processes; ++number) {
      supervise::SlotSpec slot = worker_slot(project, settings, settings_text, number);
      if (settings.has_spare) slot.spare_kind = "worker";
      slots.push_back(supervisor.add(std::move(slot)));
    }
    std::optional<supervise::SlotId> alone;
    if (settings.has_spare) {
      supervise::SlotSpec slot =
          worker_slot(project, settings, settings_text, settings.processes + 1);
      slot.name = "worker for suspect jobs";
      slot.spare_kind = "worker";
      alone = supervisor.add(std::move(slot));
    }
    desk.attach(supervisor, alone);
  }

  asio::io_context& loop;
  Project project;
  FileDescriptor settings_text;  // for workers, as long as one may be started
  SystemClock clock;
  std::unique_ptr<store::SqliteStore> store;
  std::unique_ptr<net::Client> client;
  net::LocalHostGate gate;
  hub::RunDesk desk;
  supervise::Supervisor supervisor;
  hub::JobRuns runs;
  std::vector<supervise::SlotId> slots;
};

Coordinator::Coordinator(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Coordinator::~Coordinator() = default;

Result<std::unique_ptr<Coordinator>> Coordinator::open(asio::io_context& loop, Project project,
                                                       const CoordinatorSettings& settings,
                                                       Log& log) {
  store::SqliteOptions options;
  options.log = &log;
  auto store = store::SqliteStore::open(database_file(project), options);
  if (!store) return std::move(store).error();
  net::ClientSettings for_messages;
  for_messages.network = project.network;
  for_messages.hosts = project.hosts;
  auto client = net::Client::make(loop.get_executor(), std::move(for_messages));
  if (!client) return std::move(client).error();
  auto parts =
      std::make_unique<Parts>(loop, std::move(project), std::move(*store), std::move(*client), log);
  auto settings_text = make_handed_text(parts->project.settings_text);
  if (!settings_text) return std::move(settings_text).error();
  parts->settings_text = std::move(*settings_text);
  parts->add_slots(settings);
  return std::unique_ptr<Coordinator>(new Coordinator(std::move(parts)));
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

hub::JobRuns& Coordinator::runs() {
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

net::Client& Coordinator::client() {
  return *parts_->client;
}

Async<supervise::ShutdownReport> Coordinator::shut_down(Deadline deadline) {
  parts_->desk.begin_shutdown();
  parts_->supervisor.begin_shutdown(deadline);
  auto report = co_await parts_->supervisor.shutdown_ended();
  co_await parts_->runs.idle();
  co_return report;
}

}  // namespace heddle::app
