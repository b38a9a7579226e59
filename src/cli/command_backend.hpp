// CommandBackend runs and inspects jobs for the command line. src/app implements it, so that this
// module depends on neither network nor database.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "cli/local_times.hpp"
#include "cli/spyweb_import.hpp"
#include "control/verbs.hpp"
#include "model/job/job.hpp"
#include "model/job/repair_proposal.hpp"
#include "model/job/watch_proposal.hpp"
#include "model/notify/dead_letter.hpp"
#include "model/run/change.hpp"
#include "model/run/item.hpp"
#include "model/run/page_diff.hpp"
#include "model/run/page_result.hpp"
#include "store/reader.hpp"

namespace heddle::control {
class ControlClient;
}

namespace heddle::cli {

// Receives the events of a run; all calls come from the thread that runs it.
class RunWatcher {
 public:
  virtual ~RunWatcher() = default;
  virtual void run_started(const Run& run) = 0;
  virtual void page(const PageReport& page) = 0;
  // False: page() does nothing, so the daemon need not send page events.
  [[nodiscard]] virtual bool wants_pages() const { return true; }
  virtual void notice(const std::string& text) = 0;  // "waiting for another heddle (pid 12)"
};

struct RunJobOptions {
  const Job& job;
  std::vector<DeadLetterId> dead_letters{};  // run only their pages; empty: all pages
};

struct StageCost {
  std::string name;
  std::chrono::microseconds total{0};
};

struct RunReport {
  Run run;
  store::OutboxCounts messages;  // of this job, after the first attempt at each
  std::vector<std::string> message_errors;
  std::vector<StageCost> costs;
  std::int64_t cycles = 0;
};

struct DebugPage {
  Task task;
  CycleTrace trace;
  RunError error;  // kind is empty on success
  int status = 0;
  std::vector<Item> items;
  std::vector<bool> is_new;                 // parallel to items
  std::vector<Delivery> deliveries;         // messages that a real run would send
  std::optional<std::string> text{};        // that is watched; nullopt: items are
  std::vector<FieldChange> text_changes{};  // since the kept version
  std::vector<std::filesystem::path> files;
};

// One test_* function of a job's tests.lua.
struct ScriptTest {
  std::string name;
  bool has_passed = false;
  std::string message;  // why it failed, with file:line
  std::chrono::microseconds duration{0};
};

// A script that does not compile, a mismatch between scripts and configuration, or a program that
// would not start.
struct ScriptProblem {
  std::string job;   // its id
  std::string file;  // relative to the project; empty: the job's configuration
  int line = 0;
  std::string key;  // of the configuration
  std::string message;
  bool is_warning = false;
};

struct DemoOptions {
  int port = 0;    // 0: any free port
  int rounds = 0;  // 0: until interrupted
  std::chrono::milliseconds pause{4000};
  std::filesystem::path keep;  // keeps the project here; empty: a temporary folder
};

struct UpOptions {
  int processes = 0;  // 0: as configured
  int quiet = 0;      // 1: no info messages, 2: no warnings either
};

class CommandBackend {
 public:
  virtual ~CommandBackend() = default;
  virtual Result<RunReport> run_job(const Project& project, const RunJobOptions& options,
                                    RunWatcher& watcher) = 0;
  virtual Result<std::vector<DebugPage>> debug_job(const Project& project, const Job& job,
                                                   std::size_t max_pages) = 0;
  // Fetches the first page of a job and proposes how to watch it; writes nothing.
  virtual Result<WatchProposal> propose_watch(const Project& project, const Job& job) = 0;
  // Fetches it and looks for these stored items, the newest last; writes nothing.
  virtual Result<RepairProposal> propose_repair(const Project& project, const Job& job,
                                                const std::vector<Item>& known) = 0;
  // What differs between two kept bodies of a page, as the job reads its text.
  virtual Result<std::vector<DiffLine>> diff_bodies(const Job& job, const std::string& before,
                                                    const std::string& after) = 0;
  // Runs the tests whose name contains `pattern` and passes each result to `done`. Fails when the
  // job's scripts cannot be loaded.
  virtual Status test_scripts(const Project& project, const Job& job, const std::string& pattern,
                              const std::function<void(const ScriptTest&)>& done) = 0;
  // Type stubs of the script API, for editors.
  [[nodiscard]] virtual std::string type_stubs() const = 0;
  // Checks scripts and programs without running them.
  virtual std::vector<ScriptProblem> check_scripts(const Project& project) = 0;
  virtual Result<std::unique_ptr<store::Reader>> open_reader(const Project& project) = 0;
  // Returns a function that maps a time to its local day, counted from 1970.
  virtual std::function<std::int64_t(WallTime)> local_days(const Project& project) = 0;
  // The times that people read, in the project's time zone.
  virtual LocalTimes local_times(const Project& project) = 0;
  virtual Status demo(const DemoOptions& options) = 0;
  // See app/import/spyweb_import.hpp.
  virtual Result<SpywebImport> import_spyweb(const Project& project,
                                             const SpywebImportRequest& request) = 0;

  // The data folder of the running daemon, if heddle.toml now names another one.
  virtual std::optional<std::filesystem::path> other_data_dir_in_use(const Project& project) = 0;

  // Runs the daemon until it is shut down.
  virtual Status up(const Project& project, const UpOptions& options) = 0;
  // Connects to the running daemon; `not_found` when there is none.
  // `conflict` when it is of another version, which accepts no command of this one.
  virtual Result<std::unique_ptr<control::ControlClient>> connect(const Project& project) = 0;
  // Its process, of whatever version; nullopt: it cannot be seen from here.
  virtual std::optional<int> daemon_pid(const Project& project) = 0;

  // Whether a daemon or `heddle run` works on the project.
  virtual bool is_in_use(const Project& project) = 0;

  // These call the daemon, or change the store when no daemon runs.
  virtual Result<std::vector<control::JobActionResult>> act_on_jobs(
      const Project& project, const control::ActOnJobs& request) = 0;
  virtual Result<control::DeadLettersDone> act_on_dead_letters(
      const Project& project, const control::ActOnDeadLetters& request) = 0;
};

}  // namespace heddle::cli
