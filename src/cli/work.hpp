// What the command line needs done: an interface that the program fills, so that this room knows
// neither network nor database.
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
#include "ipc/messages/control_messages.hpp"
#include "model/dead_letter.hpp"
#include "model/item.hpp"
#include "model/job.hpp"
#include "model/page_result.hpp"
#include "store/reader.hpp"

namespace heddle::cli {

struct PageNews {
  std::string url;
  TaskState state = TaskState::done;
  ItemCounts items;
  std::int64_t bytes = 0;
  RunError error;                     // for retry and dead
  std::chrono::milliseconds wait{0};  // before the next try
};

// Told what happens while a job runs; all calls come from the thread that runs it.
class RunWatcher {
 public:
  virtual ~RunWatcher() = default;
  virtual void begun(const Run& run) = 0;
  virtual void page(const PageNews& news) = 0;
  // False: page() would do nothing, so that nobody need send it any.
  [[nodiscard]] virtual bool wants_pages() const { return true; }
  virtual void remark(const std::string& text) = 0;  // "waiting for another heddle (pid 12)"
};

struct RunOrder {
  const Job& job;
  std::vector<LetterId> letters{};  // only the pages of these dead letters; none: all pages
};

struct StageCost {
  std::string name;
  std::chrono::microseconds total{0};
};

struct RunOutcome {
  Run run;
  store::OutboxCounts messages;  // of this job, after the first attempts
  std::vector<std::string> message_errors;
  std::vector<StageCost> costs;
  std::int64_t cycles = 0;
};

struct DebugPage {
  Task task;
  CycleTrace trace;
  RunError error;  // kind is empty when the page went through
  int status = 0;
  std::vector<Item> items;
  std::vector<bool> is_new;          // beside items
  std::vector<Delivery> deliveries;  // what would have been sent
  std::vector<std::filesystem::path> files;
};

// One test_* function of a job's tests.lua.
struct ScriptTest {
  std::string name;
  bool has_passed = false;
  std::string message;  // why not, with file:line
  std::chrono::microseconds duration{0};
};

// A file that does not compile, or something that is missing between scripts and configuration.
struct ScriptProblem {
  std::string job;   // its id
  std::string file;  // relative to the project; empty: it is about the job's configuration
  int line = 0;
  std::string key;  // of the configuration
  std::string message;
};

struct DemoOptions {
  int port = 0;    // 0: any free one
  int rounds = 0;  // 0: until interrupted
  std::chrono::milliseconds pause{4000};
  std::filesystem::path keep;  // where to leave the project; empty: a temporary folder
};

struct UpOptions {
  int processes = 0;  // 0: as configured
  int quiet = 0;      // 1: no news, 2: no warnings either
};

class Work {
 public:
  virtual ~Work() = default;
  virtual Result<RunOutcome> run_job(const Project& project, const RunOrder& order,
                                     RunWatcher& watcher) = 0;
  virtual Result<std::vector<DebugPage>> debug_job(const Project& project, const Job& job,
                                                   std::size_t max_pages) = 0;
  // Tests whose name contains `pattern`, each told to `done` as it ends. An error when the job's
  // scripts cannot be loaded at all.
  virtual Status test_scripts(const Project& project, const Job& job, const std::string& pattern,
                              const std::function<void(const ScriptTest&)>& done) = 0;
  // What scripts can call, described for editors.
  [[nodiscard]] virtual std::string type_stubs() const = 0;
  // What can be seen to be wrong with scripts; nothing is run.
  virtual std::vector<ScriptProblem> check_scripts(const Project& project) = 0;
  virtual Result<std::unique_ptr<store::Reader>> open_reader(const Project& project) = 0;
  // Tells the day of the project's local time, counted from 1970.
  virtual std::function<std::int64_t(WallTime)> local_days(const Project& project) = 0;
  virtual Status demo(const DemoOptions& options) = 0;

  // Where a daemon that is up keeps the data, if that is not where heddle.toml says now.
  virtual std::optional<std::filesystem::path> other_data_dir_in_use(const Project& project) = 0;

  // The daemon, until it is told to leave.
  virtual Status up(const Project& project, const UpOptions& options) = 0;
  // These ask the running daemon; `not_found` when there is none.
  virtual Result<ipc::DaemonStatus> daemon_status(const Project& project) = 0;
  virtual Result<ipc::MetricsText> metrics(const Project& project) = 0;
  virtual Status restart_worker(const Project& project, int number) = 0;
  virtual Result<ipc::ReloadReport> reload(const Project& project, bool is_trial) = 0;

  // These go through the daemon, or to the store when none runs.
  virtual Result<std::vector<ipc::JobAnswer>> act_on_jobs(const Project& project,
                                                          const ipc::ActOnJobs& wanted) = 0;
  virtual Result<ipc::LettersDone> act_on_letters(const Project& project,
                                                  const ipc::ActOnLetters& wanted) = 0;
};

}  // namespace heddle::cli
