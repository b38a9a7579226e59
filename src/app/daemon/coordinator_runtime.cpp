#include "app/daemon/coordinator_runtime.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/project/program_environment.hpp"
#include "app/project/project_databases.hpp"
#include "app/worker/sealed_text.hpp"
#include "app/worker/worker_program.hpp"
#include "base/quantity.hpp"
#include "process/find_shepherd.hpp"
#include "process/tree/program_cgroup.hpp"
#include "store/sqlite/secrets/stored_secrets.hpp"

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

// Killed processes exit sooner.
constexpr std::chrono::seconds kKillGrace{2};

Rotation rotation_of(const Project& project) {
  return {.max_bytes = static_cast<std::uint64_t>(project.log.size), .keep = project.log.keep};
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

// Secrets in data of earlier versions. The daemon works without it, so a full disk only delays it.
void remove_stored_secrets(const Project& project, Log& log) {
  const auto changed = store::replace_stored_secrets(database_file(project), project.jobs);
  if (!changed)
    log.warn(
        "secrets that an earlier version has stored in the database could not be removed; the next "
        "start tries again: " +
        changed.error().message);
  else if (*changed > 0)
    log.info(fmt::format("removed secrets that an earlier version has stored for {}",
                         counted(*changed, "job")));
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

// The start parameters of workers that are not part of the project.
struct CoordinatorRuntime::WorkerLaunch {
  std::string program;
  FileDescriptor settings_text{};  // open while workers may be started
  std::uint64_t settings_version = 0;

  // Covers what a worker reads only at its start; it reloads jobs whenever their revision changes.
  [[nodiscard]] std::string version() const {
    struct stat facts {};
    if (stat(program.c_str(), &facts) != 0) return {};
    return fmt::format("{} {} {}.{} {}", facts.st_ino, facts.st_size, facts.st_mtim.tv_sec,
                       facts.st_mtim.tv_nsec, settings_version);
  }
};

CoordinatorRuntime::CoordinatorRuntime(asio::io_context& loop, Project project,
                                       std::unique_ptr<store::SqliteStore> store,
                                       std::unique_ptr<net::Client> client, Log& log)
    : loop_(loop),
      project_(std::move(project)),
      launch_(std::make_shared<WorkerLaunch>()),
      store_(std::move(store)),
      client_(std::move(client)),
      gate_(loop.get_executor(), {project_.per_host, project_.per_host_delay}, project_.hosts),
      dispatcher_(loop.get_executor(), {*store_, gate_, log, project_.recovery.poison_limit}),
      supervisor_(loop.get_executor(), log, clock_, &dispatcher_),
      page_executor_(dispatcher_, *store_, clock_),
      output_log_(output_log_rules(project_)) {}

Result<std::unique_ptr<CoordinatorRuntime>> CoordinatorRuntime::open(
    asio::io_context& loop, Project project, const CoordinatorSettings& settings, Log& log) {
  const std::uint64_t descriptors_before = allow_many_descriptors();
  store::SqliteOptions options;
  options.log = &log;
  options.known_keys_bytes = 0;  // workers query keys and cache the answers
  const auto metrics = std::make_shared<hub::Metrics>();
  options.on_commit = [metrics](std::chrono::nanoseconds time) { metrics->commits.observe(time); };
  remove_stored_secrets(project, log);
  auto store = store::SqliteStore::open(database_file(project), options);
  if (!store) return std::move(store).error();
  project.jobs.clear();
  auto client = client_for_messages(loop, project);
  if (!client) return std::move(client).error();
  auto settings_text = make_sealed_text(project.settings_text);
  if (!settings_text) return std::move(settings_text).error();
  std::unique_ptr<CoordinatorRuntime> opened(
      new CoordinatorRuntime(loop, std::move(project), std::move(*store), std::move(*client), log));
  opened->launch_->settings_text = std::move(*settings_text);
  opened->launch_->program = settings.program.empty() ? own_program() : settings.program.string();
  opened->has_spare_ = settings.has_spare;
  opened->metrics_ = metrics;
  opened->add_slots(settings.processes);
  opened->process_environment_.descriptor_limit = descriptors_before;
  opened->add_executor(settings.waits_for_store, log);
  return opened;
}

void CoordinatorRuntime::add_executor(bool waits_for_store, Log& log) {
  auto shepherd = process::find_shepherd();
  if (shepherd)
    process_environment_.shepherd = std::move(*shepherd);
  else
    log.warn("no program of a job can be started: " + shepherd.error().message);
  process_environment_.daemon_environment = program_environment();
  process_environment_.cgroup = process::find_delegated_cgroup();
  process_environment_.kills_inherited = true;
  process_environment_.start_claims = std::filesystem::absolute(project_.data_dir) / "starts";
  hub::CommandRunExecutorParts parts{page_executor_,       *store_, *store_, metrics_->programs,
                                     process_environment_, clock_,  log,     waits_for_store};
  executor_ = std::make_unique<hub::CommandRunExecutor>(loop_.get_executor(), parts);
}

supervise::SlotSpec CoordinatorRuntime::spec_of(int number) const {
  const RecoveryRules& recovery = project_.recovery;
  supervise::SlotSpec slot;
  slot.name = fmt::format("worker {}", number);
  slot.number = number;
  slot.argv = to_arguments({std::filesystem::absolute(project_.root),
                            std::filesystem::absolute(project_.data_dir),
                            ipc::make_handshake("daemon", HEDDLE_VERSION)});
  slot.argv.insert(slot.argv.begin(), launch_->program);
  slot.environment = own_environment();
  slot.descriptors = {{STDERR_FILENO, STDERR_FILENO},
                      {launch_->settings_text.get(), kSettingsDescriptor}};
  slot.recover = true;
  slot.restart =
      supervise::RestartPolicy{recovery.delay, recovery.backoff, recovery.backoff_cap,
                               static_cast<std::size_t>(recovery.max_restarts), recovery.window};
  slot.hang_timeout = recovery.hang_timeout;
  slot.drain_timeout = project_.daemon.shutdown_timeout;
  slot.recycle = {project_.daemon.recycle_after, project_.daemon.recycle_rss};
  slot.may_overlap = true;
  if (has_spare_) slot.spare_kind = "worker";
  slot.version = [launch = launch_] { return launch->version(); };
  return slot;
}

supervise::SlotSpec CoordinatorRuntime::isolated_spec() const {
  supervise::SlotSpec slot = spec_of(static_cast<int>(slots_.size()) + 1);
  slot.kind = supervise::SlotKind::isolated;
  slot.name = "isolated worker";
  return slot;
}

void CoordinatorRuntime::add_slots(int processes) {
  for (int number = 1; number <= processes; ++number)
    slots_.push_back(supervisor_.add(spec_of(number)));
  if (has_spare_) isolated_ = supervisor_.add(isolated_spec());
  dispatcher_.attach(supervisor_, isolated_);
}

void CoordinatorRuntime::change_slots(int processes, bool renew) {
  const auto target = static_cast<std::size_t>(processes);
  for (; slots_.size() > target; slots_.pop_back()) supervisor_.retire(slots_.back());
  const auto change = [&](supervise::SlotId slot, supervise::SlotSpec spec) {
    renew ? supervisor_.renew(slot, std::move(spec)) : supervisor_.update(slot, std::move(spec));
  };
  int number = 0;
  for (const supervise::SlotId slot : slots_) change(slot, spec_of(++number));
  while (slots_.size() < target) {
    slots_.push_back(supervisor_.add(spec_of(++number)));
    // A failed start emits an event, and the supervisor retries it.
    static_cast<void>(supervisor_.start(slots_.back()));
  }
  if (isolated_) change(*isolated_, isolated_spec());
}

Status CoordinatorRuntime::apply_settings(Project project, int processes, bool renew_workers) {
  project.jobs.clear();
  auto client = client_for_messages(loop_, project);
  if (!client) return std::move(client).error();
  auto sealed = replace_sealed_text(launch_->settings_text, project.settings_text);
  if (!sealed) return sealed;
  project_ = std::move(project);
  client_ = std::move(*client);
  output_log_.set_rules(rotation_of(project_), project_.secrets);
  gate_.set_limits({project_.per_host, project_.per_host_delay}, project_.hosts);
  dispatcher_.crash_tracker().set_poison_limit(project_.recovery.poison_limit);
  if (renew_workers) {
    ++launch_->settings_version;
    dispatcher_.exclude_ready_workers();
  }
  change_slots(processes, renew_workers);
  return Done{};
}

void CoordinatorRuntime::set_secrets(std::vector<std::string> secrets) {
  project_.secrets = std::move(secrets);
  output_log_.set_rules(rotation_of(project_), project_.secrets);
}

Status CoordinatorRuntime::start() {
  bool has_started = false;
  Status failure = Done{};
  for (const supervise::SlotId slot : slots_) {
    auto status = supervisor_.start(slot);
    if (status)
      has_started = true;
    else
      failure = std::move(status);
  }
  return has_started ? Done{} : std::move(failure);
}

Async<supervise::StopReport> CoordinatorRuntime::shut_down(Deadline deadline) {
  dispatcher_.begin_shutdown();
  executor_->shut_down();
  supervisor_.begin_shutdown(deadline);
  auto report = co_await supervisor_.shutdown_ended();
  co_await executor_->idle(deadline);
  executor_->kill_all();
  co_await executor_->idle(std::chrono::steady_clock::now() + kKillGrace);
  co_await page_executor_.idle();
  co_return report;
}

}  // namespace heddle::app
