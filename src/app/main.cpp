// The `heddle` program.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <string_view>

#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include "app/client/engine.hpp"
#include "app/client/offline_actions.hpp"
#include "app/client/page_diff.hpp"
#include "app/client/propose_page.hpp"
#include "app/client/run_job.hpp"
#include "app/daemon/control_socket.hpp"
#include "app/daemon/daemon.hpp"
#include "app/daemon/daemon_log.hpp"
#include "app/demo/demo.hpp"
#include "app/import/spyweb_import.hpp"
#include "app/maintenance/backup.hpp"
#include "app/maintenance/doctor.hpp"
#include "app/project/local_days.hpp"
#include "app/project/program_checks.hpp"
#include "app/project/program_environment.hpp"
#include "app/project/project_databases.hpp"
#include "app/project/project_lock.hpp"
#include "app/scripts/script_checks.hpp"
#include "app/worker/worker_program.hpp"
#include "base/environment_variable.hpp"
#include "base/log/redact.hpp"
#include "cli/command_line.hpp"
#include "cli/terminal.hpp"
#include "ipc/unix_socket.hpp"
#include "script/type_stubs.hpp"
#include "store/scripts/script_database.hpp"
#include "store/sqlite/sqlite_reader.hpp"

namespace heddle::app {

namespace {

config::Environment machine_environment() {
  config::Environment environment;
  environment.variable = environment_variable;
  environment.system_timezone = config::detect_timezone(environment_variable("TZ"), "/etc");
  return environment;
}

// Writes messages of a command to standard error, as its other messages. Thread-safe.
class TerminalLog final : public Log {
 public:
  void write(const LogMessage& message) override {
    if (message.level < LogLevel::info) return;
    const std::lock_guard lock(mutex_);
    terminal_.line(std::string(level_prefix(message.level)).append(message.text));
    (void)terminal_.finish();  // without standard error there is nowhere to report it
  }

 private:
  std::mutex mutex_;
  cli::Terminal terminal_{stderr};
};

LogLevel level_for(const cli::UpOptions& options, const Project& project) {
  if (options.quiet == 0) return project.log.level;
  return options.quiet == 1 ? LogLevel::warning : LogLevel::error;
}

// Implements CommandBackend with the daemon or, without one, inside this process.
class LocalBackend final : public cli::CommandBackend {
 public:
  explicit LocalBackend(const config::Environment& environment) : environment_(environment) {}

  Result<cli::RunReport> run_job(const Project& project, const cli::RunJobOptions& options,
                                 cli::RunWatcher& watcher) override {
    RedactingLog log(log_, project.secrets);
    auto followed = run_in_daemon(project, options, watcher);
    if (followed || followed.error().code != ErrorCode::not_found) return followed;
    return run_in_foreground(project, options, watcher, log);
  }

  Result<std::vector<cli::DebugPage>> debug_job(const Project& project, const Job& job,
                                                std::size_t max_pages) override {
    RedactingLog log(log_, project.secrets);
    return app::debug_job(project, job, max_pages, log);
  }

  Result<WatchProposal> propose_watch(const Project& project, const Job& job) override {
    RedactingLog log(log_, project.secrets);
    return propose_page(project, job, log);
  }

  Result<RepairProposal> propose_repair(const Project& project, const Job& job,
                                        const std::vector<Item>& known) override {
    RedactingLog log(log_, project.secrets);
    return app::propose_repair(project, job, known, log);
  }

  Result<std::vector<DiffLine>> diff_bodies(const Job& job, const std::string& before,
                                            const std::string& after) override {
    return app::diff_bodies(job, before, after);
  }

  Status test_scripts(const Project& project, const Job& job, const std::string& pattern,
                      const std::function<void(const cli::ScriptTest&)>& done) override {
    RedactingLog log(log_, project.secrets);
    return run_script_tests(project, job, pattern, done, log);
  }

  [[nodiscard]] std::string type_stubs() const override { return script::lua_type_stubs(); }

  std::vector<cli::ScriptProblem> check_scripts(const Project& project) override {
    auto problems = app::check_scripts(project);
    for (cli::ScriptProblem& problem : app::check_programs(project, app::program_environment()))
      problems.push_back(std::move(problem));
    return problems;
  }

  Result<std::unique_ptr<store::Reader>> open_reader(const Project& project) override {
    if (auto restored = finish_interrupted_restore(project.data_dir); !restored)
      return std::move(restored).error();
    auto reader = store::SqliteReader::open(database_file(project));
    if (!reader) return std::move(reader.error());
    return std::unique_ptr<store::Reader>(std::move(*reader));
  }

  std::optional<std::filesystem::path> other_data_dir_in_use(const Project& project) override {
    return app::other_data_dir_in_use(project);
  }

  Status up(const Project& project, const cli::UpOptions& options) override {
    DaemonLog lines(project.data_dir / kDaemonLogFile, project.log, level_for(options, project));
    RedactingLog log(lines, project.secrets);
    auto ended = run_daemon(project, options, environment_, log, [&](const Project& now) {
      lines.set_rules(now.log, level_for(options, now));
      log.add_secrets(now.secrets);
    });
    // The command prints it; the file belongs to the daemon that caused a conflict.
    if (!ended && ended.error().code != ErrorCode::conflict)
      lines.write_to_file(
          {.level = LogLevel::error, .text = redact(ended.error().message, project.secrets)});
    return ended;
  }

  Result<std::unique_ptr<control::ControlClient>> connect(const Project& project) override {
    return connect_to_daemon(project);
  }

  std::optional<int> daemon_pid(const Project& project) override {
    const auto connection = ipc::connect_to(control_socket(project));
    const pid_t pid = connection ? ipc::peer_pid(*connection) : 0;
    return pid > 0 ? std::optional<int>(pid) : std::nullopt;
  }

  bool is_in_use(const Project& project) override {
    if (ProjectLock::lasting_holder(project.data_dir)) return true;
    const auto daemon = connect_to_daemon(project);  // users may have removed the lock file
    return daemon || daemon.error().code == ErrorCode::timeout;
  }

  Result<std::vector<control::JobActionResult>> act_on_jobs(
      const Project& project, const control::ActOnJobs& request) override {
    constexpr std::chrono::milliseconds kTimePerJob{20};
    auto daemon = connect_to_daemon(project);
    if (daemon)
      return (*daemon)->call(control::kActOnJobs, request,
                             kTimePerJob * static_cast<std::int64_t>(request.jobs.size()));
    if (daemon.error().code != ErrorCode::not_found) return std::move(daemon).error();
    return act_on_jobs_offline(project, request, log_);
  }

  Result<control::DeadLettersDone> act_on_dead_letters(
      const Project& project, const control::ActOnDeadLetters& request) override {
    auto daemon = connect_to_daemon(project);
    if (daemon) return (*daemon)->call(control::kActOnDeadLetters, request);
    if (daemon.error().code != ErrorCode::not_found) return std::move(daemon).error();
    return act_on_stored_dead_letters(project, request, log_);
  }

  std::function<std::int64_t(WallTime)> local_days(const Project& project) override {
    return app::local_days(project.timezone, environment_, log_);
  }

  Result<cli::SpywebImport> import_spyweb(const Project& project,
                                          const cli::SpywebImportRequest& request) override {
    RedactingLog log(log_, project.secrets);
    return app::import_spyweb(project, request, environment_, log);
  }

  cli::LocalTimes local_times(const Project& project) override {
    return app::local_times(project.timezone, environment_);
  }

  Status demo(const cli::DemoOptions& options) override {
    return demo::run_demo(options, environment_, log_);
  }

 private:
  const config::Environment& environment_;
  TerminalLog log_;
};

class LocalMaintenance final : public cli::DatabaseMaintenance {
 public:
  Result<cli::BackupReport> back_up(const Project& project, const cli::BackupRequest& request,
                                    const cli::FileProgress& progress) override {
    return back_up_project(project, request, progress);
  }
  Result<cli::RestoreReport> restore(const Project& project, const std::filesystem::path& folder,
                                     const cli::FileProgress& progress) override {
    return restore_project(project, folder, SystemClock().now(), progress);
  }
  std::vector<cli::Finding> examine(const Project& project) override {
    return examine_project(project);
  }
  Result<cli::RepairReport> repair(const Project& project, bool allow_empty) override {
    return repair_project(project, SystemClock().now(), allow_empty);
  }
};

constexpr int kKeptBytes = 64 << 20;
constexpr int kOwnMappingBytes = 32 << 20;
constexpr int kGrowthBytes = 1 << 20;

// Pages and their trees allocate large blocks thousands of times a minute: keep them for the next
// page instead of returning them to the kernel.
void keep_large_blocks() {
  // NOLINTBEGIN(concurrency-mt-unsafe): called before there are threads
  mallopt(M_TRIM_THRESHOLD, kKeptBytes);
  mallopt(M_MMAP_THRESHOLD, kOwnMappingBytes);
  mallopt(M_TOP_PAD, kGrowthBytes);
  // NOLINTEND(concurrency-mt-unsafe)
}

// A file opened while one of the three is closed would get its number and receive the terminal
// output.
void open_standard_descriptors() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(number, F_GETFD) != -1) continue;
    if (open("/dev/null", O_RDWR) != number) std::abort();  // open() returns the lowest free number
  }
}

// For all databases of the process together, so that no script statement exhausts the memory.
constexpr std::int64_t kSqliteMemory = std::int64_t{1} << 30;

}  // namespace

}  // namespace heddle::app

int main(int argc, char** argv) {
  try {
    heddle::app::open_standard_descriptors();
    heddle::app::keep_large_blocks();
    heddle::store::limit_sqlite_memory(heddle::app::kSqliteMemory);
    const auto environment = heddle::app::machine_environment();
    if (argc > 1 && std::string_view(argv[1]) == heddle::app::kWorkerArgument)
      return heddle::app::run_worker(heddle::app::read_arguments({argv + 1, argv + argc}),
                                     environment);
    heddle::app::LocalBackend backend(environment);
    heddle::app::LocalMaintenance maintenance;
    return heddle::cli::run_command_line(argc, argv, backend, maintenance, environment);
  } catch (const std::exception& bug) {
    std::fprintf(stderr, "heddle: this is a bug, please report it: %s\n", bug.what());
    return 1;
  }
}
