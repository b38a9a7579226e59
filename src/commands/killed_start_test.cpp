// Kills the process that runs a hooked run at every step of a start, and lets a second one resume.
#include <array>
#include <fstream>
#include <new>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "commands/command_work.hpp"
#include "commands/hooked_run.hpp"
#include "commands/start_claims.hpp"
#include "tests/support/processes.hpp"
#include "tests/support/shepherd_file.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::commands {
namespace {

using namespace std::chrono_literals;

enum class KillMoment { before_write, after_write };

// The records of one run in memory that outlives the processes which write them.
struct SharedRecords {
  struct Hook {
    HookPhase phase;
    int attempt;
    HookState state;
    char name[16];
  };
  struct Process {
    int attempt;
    ProcessState state;
    std::int64_t pid;
    ProgramExit exit;
  };
  struct Stage {
    bool is_set;
    RunStage stage;
    bool has_outcome;
    RunState state;
    ErrorKind reason;
    bool never_started;
  };
  int writes = 0;
  int kill_at = 0;  // the number of the write; 0: none
  KillMoment moment = KillMoment::before_write;
  Stage stage{};
  int hook_count = 0;
  std::array<Hook, 16> hooks{};
  int process_count = 0;
  std::array<Process, 16> processes{};
  bool has_ended = false;
  RunState outcome{};
};

// Kills its own process at the chosen write.
class DeadlyJournal final : public store::RunJournal {
 public:
  explicit DeadlyJournal(SharedRecords& records) : records_(records) {}

  Async<Status> record_process(ProcessRecord process) override {
    const Write write(records_);
    auto* found = find(records_.processes, records_.process_count,
                       [&](const auto& each) { return each.attempt == process.attempt; });
    *found = {process.attempt, process.state, process.pid, process.exit};
    co_return Done{};
  }
  Async<Status> record_hook(HookRecord hook) override {
    const Write write(records_);
    auto* found = find(records_.hooks, records_.hook_count, [&](const auto& each) {
      return hook.hook == each.name && each.attempt == hook.attempt;
    });
    *found = {hook.phase, hook.attempt, hook.state, {}};
    hook.hook.copy(found->name, sizeof found->name - 1);
    co_return Done{};
  }
  Async<Status> record_stage(RunId, RunStageRecord record) override {
    const Write write(records_);
    const RunOutcome outcome = record.outcome.value_or(RunOutcome{});
    records_.stage = {true,          record.stage,   record.outcome.has_value(),
                      outcome.state, outcome.reason, outcome.never_started};
    co_return Done{};
  }
  Async<Result<ProgramHistory>> program_history(RunId run) override {
    ProgramHistory history;
    if (records_.stage.is_set) {
      RunStageRecord stage{records_.stage.stage, std::nullopt};
      if (records_.stage.has_outcome) {
        RunOutcome outcome;
        outcome.state = records_.stage.state;
        outcome.reason = records_.stage.reason;
        outcome.never_started = records_.stage.never_started;
        stage.outcome = outcome;
      }
      history.stage_record = stage;
    }
    for (int i = 0; i < records_.hook_count; ++i) {
      const auto& each = records_.hooks.at(static_cast<std::size_t>(i));
      HookRecord hook;
      hook.run = run;
      hook.phase = each.phase;
      hook.hook = each.name;
      hook.attempt = each.attempt;
      hook.state = each.state;
      history.hooks.push_back(hook);
    }
    for (int i = 0; i < records_.process_count; ++i) {
      const auto& each = records_.processes.at(static_cast<std::size_t>(i));
      ProcessRecord process;
      process.run = run;
      process.attempt = each.attempt;
      process.state = each.state;
      process.pid = each.pid;
      process.exit = each.exit;
      history.processes.push_back(process);
    }
    co_return history;
  }

 private:
  class Write {
   public:
    explicit Write(SharedRecords& records) : records_(records) {
      is_deadly_ = ++records_.writes == records_.kill_at;
      if (is_deadly_ && records_.moment == KillMoment::before_write) kill(getpid(), SIGKILL);
    }
    ~Write() {
      if (is_deadly_) kill(getpid(), SIGKILL);
    }
    Write(const Write&) = delete;
    Write& operator=(const Write&) = delete;

   private:
    SharedRecords& records_;
    bool is_deadly_ = false;
  };

  template <class Entries, class IsSame>
  static typename Entries::value_type* find(Entries& entries, int& count, IsSame is_same) {
    for (int i = 0; i < count; ++i)
      if (is_same(entries.at(static_cast<std::size_t>(i))))
        return &entries.at(static_cast<std::size_t>(i));
    return &entries.at(static_cast<std::size_t>(count++));
  }

  SharedRecords& records_;
};

class KilledStart : public ::testing::Test {
 protected:
  KilledStart() {
    void* memory = mmap(nullptr, sizeof(SharedRecords), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    records_ = new (memory) SharedRecords;
    job_.id = {"job"};
    job_.name = "job";
    job_.kind = JobKind::command;
    job_.program.home = folder_.path();
    job_.program.line.command = "echo work >> work; exit 3";
    add_hook(HookPhase::pre_start, "first");
    add_hook(HookPhase::post_stop, "last");
    shepherd_ = heddle::testing::shepherd_file();
  }
  ~KilledStart() override { munmap(records_, sizeof(SharedRecords)); }

  void add_hook(HookPhase phase, const std::string& name) {
    HookRule hook;
    hook.phase = phase;
    hook.name = name;
    hook.program.command = "echo " + name + " >> " + name;
    job_.hooks.push_back(hook);
  }

  void start_over() {
    *records_ = SharedRecords{};
    for (const char* name : {"work", "first", "last"})
      std::filesystem::remove(folder_.path() / name);
    std::filesystem::remove_all(claims());
  }

  [[nodiscard]] std::filesystem::path claims() const { return folder_.path() / "starts"; }

  // Runs from the recorded stage on in a process of its own; false when it was killed.
  bool run_daemon() const {
    const int code = heddle::testing::exit_code_of([this] {
      carry_out();
      return 0;
    });
    return code == 0;
  }

  void carry_out() const {
    SystemClock clock;
    NoLog log;
    boost::asio::io_context loop;
    DeadlyJournal journal(*records_);
    OutputLogRules rules;
    rules.file_of = [this](const JobId&) { return folder_.path() / "log/output.log"; };
    OutputLog output_log(rules);
    LaunchContext context{shepherd_, {{"PATH", "/usr/bin:/bin"}}, output_log};
    context.start_claims = claims();
    heddle::Run run;
    run.id = {"R1"};
    run.job = job_.id;
    run.started_at = clock.now();
    const RunParts parts{loop.get_executor(), journal, context, clock, log};
    const auto hooked = std::make_shared<HookedRun>(parts, job_, run);
    boost::asio::co_spawn(loop, end_of(*hooked, parts), boost::asio::detached);
    loop.run();
    context.start_thread.close();
  }

  Async<void> end_of(HookedRun& hooked, RunParts parts) const {
    HookedRun::MakeWork make =
        [this, &parts](std::vector<ProcessRecord> before) -> std::shared_ptr<RunWork> {
      return std::make_shared<CommandWork>(parts, job_, RunId{"R1"}, std::move(before));
    };
    auto end = co_await hooked.carry_out(std::move(make));
    records_->has_ended = static_cast<bool>(end);
    if (end) records_->outcome = end->outcome.state;
  }

  [[nodiscard]] int lines_in(const std::string& name) const {
    std::ifstream file(folder_.path() / name);
    int count = 0;
    for (std::string line; std::getline(file, line);) ++count;
    return count;
  }
  [[nodiscard]] std::optional<HookState> state_of_hook(const std::string& name) const {
    for (int i = 0; i < records_->hook_count; ++i)
      if (name == records_->hooks.at(static_cast<std::size_t>(i)).name)
        return records_->hooks.at(static_cast<std::size_t>(i)).state;
    return std::nullopt;
  }

  // Every hook ran exactly once, or was interrupted after it had been executed.
  void expect_the_rule(const std::string& point) const {
    ASSERT_TRUE(records_->has_ended) << point;
    for (const char* name : {"first", "last"}) {
      const auto state = state_of_hook(name);
      const bool is_due =
          name == std::string("first") || state_of_hook("first") == HookState::succeeded;
      if (!is_due) {
        EXPECT_EQ(lines_in(name), 0) << point << ": the work never began";
        continue;
      }
      ASSERT_TRUE(state) << point << ": " << name << " has no record";
      EXPECT_LE(lines_in(name), 1) << point << ": " << name << " ran twice";
      if (*state != HookState::interrupted) {
        EXPECT_EQ(*state, HookState::succeeded) << point << ": " << name;
        EXPECT_EQ(lines_in(name), 1) << point << ": " << name << " never ran";
      }
    }
    EXPECT_TRUE(std::filesystem::is_empty(claims())) << point;
  }

  // A shepherd that runs these lines the first time it is started for a program that names `word`.
  void replace_shepherd(const std::string& word, const std::string& lines) {
    const std::string mark = (folder_.path() / "once").string();
    const auto script = folder_.path() / "shepherd.sh";
    std::filesystem::remove(mark);
    folder_.write("shepherd.sh", "#!/bin/sh\ncase \"$*\" in *'" + word + "'*) if [ ! -e " + mark +
                                     " ]; then : > " + mark + "\n" + lines + "\nfi ;; esac\nexec " +
                                     heddle::testing::shepherd_file().string() + " \"$@\"\n");
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    shepherd_ = script;
  }

  heddle::testing::TemporaryFolder folder_;
  SharedRecords* records_ = nullptr;
  std::filesystem::path shepherd_;
  Job job_;
};

TEST_F(KilledStart, LosesAndRepeatsNoHookWhicheverRecordWasTheLast) {
  ASSERT_TRUE(run_daemon());
  const int writes = records_->writes;
  ASSERT_GE(writes, 9);
  expect_the_rule("undisturbed");
  for (int at = 1; at <= writes; ++at) {
    for (const KillMoment moment : {KillMoment::before_write, KillMoment::after_write}) {
      start_over();
      records_->kill_at = at;
      records_->moment = moment;
      EXPECT_FALSE(run_daemon());
      EXPECT_TRUE(run_daemon());
      expect_the_rule((moment == KillMoment::before_write ? "before write " : "after write ") +
                      std::to_string(at));
    }
  }
}

TEST_F(KilledStart, RunsAHookThatWasIntendedAndNeverExecuted) {
  for (const char* name : {"first", "last"}) {
    start_over();
    replace_shepherd(name, "kill -9 $PPID; kill -9 $$");
    EXPECT_FALSE(run_daemon());
    EXPECT_EQ(state_of_hook(name), HookState::starting);
    EXPECT_EQ(lines_in(name), 0);
    EXPECT_TRUE(run_daemon());
    EXPECT_EQ(state_of_hook(name), HookState::succeeded) << name;
    EXPECT_EQ(lines_in(name), 1) << name;
    EXPECT_EQ(lines_in("last"), 1);
    expect_the_rule(name);
  }
}

TEST_F(KilledStart, DoesNotCountAProcessThatWasNeverExecutedAsFailed) {
  job_.program.line.command = "echo work >> work";
  replace_shepherd("work", "kill -9 $PPID; kill -9 $$");
  EXPECT_FALSE(run_daemon());
  EXPECT_TRUE(run_daemon());
  EXPECT_EQ(records_->outcome, RunState::completed);
  EXPECT_EQ(lines_in("work"), 1);
  expect_the_rule("process");
}

TEST_F(KilledStart, DoesNotRepeatAHookThatWasExecutedAndNotRecorded) {
  // The hook kills the daemon before the daemon can have recorded it, and then writes its line.
  job_.hooks.back().program.command =
      "read -r _ _ _ daemon _ < /proc/$PPID/stat; kill -9 $daemon; echo last >> last; sleep 100";
  EXPECT_FALSE(run_daemon());
  EXPECT_TRUE(run_daemon());
  EXPECT_EQ(state_of_hook("last"), HookState::interrupted);
  EXPECT_LE(lines_in("last"), 1);
}

}  // namespace
}  // namespace heddle::commands
