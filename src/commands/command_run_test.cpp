// Command runs with real processes.
#include <signal.h>

#include "commands/run_for_test.hpp"

namespace heddle::commands {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

class CommandRun : public testing::ProgramRunTest {
 protected:
  void command(std::string line) { job_.program.line.command = std::move(line); }
  void record_result(const std::string& file) {
    add_hook(HookPhase::post_stop, "record",
             "echo \"$HEDDLE_RESULT,$HEDDLE_EXIT_CODE,$HEDDLE_SIGNAL,$HEDDLE_REASON\" >> " + file);
  }
  // A program that ends gracefully when it is asked to, but has not done its work then. With `go`
  // it does it.
  void obedient_command() {
    command(
        "trap 'exit 0' TERM; echo $HEDDLE_INDEX >> ran; [ -e go ] && exit 0; "
        "while true; do sleep 60 & wait $!; done");
  }
  ExecutionResult halt_when_running(Halt how) {
    return carry_out([this, how](HookedRun& run) {
      if (exists("ran")) run.halt(how);
    });
  }
};

TEST_F(CommandRun, CompletesWhenItsProgramSucceeds) {
  command("echo out; echo err >&2");
  record_result("result");
  const ExecutionResult end = carry_out();
  EXPECT_EQ(end.end, ExecutionEnd::finished);
  EXPECT_EQ(end.outcome.state, RunState::completed);
  EXPECT_EQ(end.outcome.exit.code, 0);
  EXPECT_THAT(end.errors, IsEmpty());
  EXPECT_THAT(processes(), ElementsAre("0#1 succeeded"));
  EXPECT_THAT(lines_of("result"), ElementsAre("completed,0,,"));
}

TEST_F(CommandRun, ReportsNoFailureWhenAReplacementSucceeded) {
  command("[ $HEDDLE_ATTEMPT = 2 ] || exit 7");
  job_.program.restart = RestartRule::on_failure;
  record_result("result");
  EXPECT_EQ(carry_out().outcome.exit.code, 0);
  EXPECT_THAT(processes(), ElementsAre("0#1 failed", "0#2 succeeded"));
  EXPECT_THAT(lines_of("result"), ElementsAre("completed,0,,"));
}

TEST_F(CommandRun, FailsWithTheExitCodeOfItsProgram) {
  command("exit 3");
  record_result("result");
  const ExecutionResult end = carry_out();
  EXPECT_EQ(end.outcome.state, RunState::failed);
  EXPECT_EQ(end.outcome.exit.code, 3);
  ASSERT_THAT(end.errors, SizeIs(1));
  EXPECT_EQ(end.errors[0].kind, ErrorKind::process_failed);
  EXPECT_EQ(end.errors[0].message, "exit code 3");
  EXPECT_THAT(lines_of("result"), ElementsAre("failed,3,,process_failed"));
}

TEST_F(CommandRun, ReportsTheSignalThatKilledItsProgram) {
  command("kill -9 $$");
  record_result("result");
  EXPECT_EQ(carry_out().outcome.exit.signal, SIGKILL);
  EXPECT_THAT(lines_of("result"), ElementsAre("failed,,9,process_failed"));
}

TEST_F(CommandRun, FailsWhenTheProgramIsMissing) {
  job_.program.line.args = {"no-such-program-anywhere"};
  const ExecutionResult end = carry_out();
  EXPECT_EQ(end.outcome.state, RunState::failed);
  ASSERT_THAT(end.errors, SizeIs(1));
  EXPECT_THAT(end.errors[0].message, HasSubstr("no-such-program-anywhere: not found in PATH"));
}

TEST_F(CommandRun, RecordsTheResourceUsageOfItsProcess) {
  command("echo $$ > pid; exec dd if=/dev/zero of=/dev/null bs=16M count=20 2>/dev/null");
  carry_out();
  ASSERT_THAT(history().processes, SizeIs(1));
  const ProcessRecord& process = history().processes[0];
  EXPECT_EQ(std::to_string(process.pid) + "\n", text_of("pid"));
  EXPECT_GT(process.peak_memory_bytes, 10'000'000);
  EXPECT_GE(process.ended_at, process.started_at);
  EXPECT_EQ(process.exit.code, 0);
}

TEST_F(CommandRun, RunsNoMoreProcessesThanCompletionsAreMissing) {
  command("echo x >> ran; sleep 0.1");
  job_.program.parallelism = 3;
  carry_out();
  EXPECT_THAT(lines_of("ran"), SizeIs(1));
}

TEST_F(CommandRun, RunsAsManyAtATimeAsAllowed) {
  command(
      "mkdir running.$HEDDLE_INDEX; sleep 0.2; ls -d running.* | wc -l >> seen; rmdir "
      "running.$HEDDLE_INDEX");
  job_.program.parallelism = 2;
  job_.program.completions = 5;
  EXPECT_EQ(carry_out().outcome.state, RunState::completed);
  EXPECT_THAT(processes(), SizeIs(5));
  for (const std::string& seen : lines_of("seen")) EXPECT_LE(std::stoi(seen), 2);
}

TEST_F(CommandRun, RunsOnceWhenItSucceedsAlthoughFailuresAreReplaced) {
  command("echo x >> ran");
  job_.program.restart = RestartRule::on_failure;
  EXPECT_EQ(carry_out().outcome.state, RunState::completed);
  EXPECT_THAT(lines_of("ran"), SizeIs(1));
}

TEST_F(CommandRun, OfManyCompletionsGivesUpAfterGrowingBackoff) {
  command("date +%s%N >> ran; exit 1");
  job_.program.completions = 10;
  job_.program.restart = RestartRule::on_failure;
  job_.program.backoff_limit = 2;
  job_.retry.base = 100ms;
  job_.retry.factor = 3;
  EXPECT_EQ(carry_out().outcome.reason, ErrorKind::backoff_limit_exceeded);
  const auto times = lines_of("ran");
  ASSERT_THAT(times, SizeIs(3));
  EXPECT_GE(std::stoll(times[1]) - std::stoll(times[0]), 100'000'000);
  EXPECT_GE(std::stoll(times[2]) - std::stoll(times[1]), 300'000'000);
}

TEST_F(CommandRun, GivesUpAtTheBackoffLimitAfterGrowingBackoff) {
  command("date +%s%N >> ran; exit 1");
  record_result("result");
  job_.program.restart = RestartRule::on_failure;
  job_.program.backoff_limit = 2;
  job_.retry.base = 100ms;
  job_.retry.factor = 3;
  const ExecutionResult end = carry_out();
  EXPECT_EQ(end.outcome.state, RunState::failed);
  EXPECT_EQ(end.outcome.reason, ErrorKind::backoff_limit_exceeded);
  const auto times = lines_of("ran");
  ASSERT_THAT(times, SizeIs(3));
  EXPECT_GE(std::stoll(times[1]) - std::stoll(times[0]), 100'000'000);
  EXPECT_GE(std::stoll(times[2]) - std::stoll(times[1]), 300'000'000);
  EXPECT_THAT(lines_of("result"), ElementsAre("failed,1,,backoff_limit_exceeded"));
}

TEST_F(CommandRun, RetriesAFailedIndex) {
  command(
      "echo $HEDDLE_INDEX >> ran; if [ $HEDDLE_INDEX = 2 ] && [ $HEDDLE_ATTEMPT = 1 ]; then exit "
      "1; fi");
  job_.program.completions = 4;
  job_.program.parallelism = 2;
  job_.program.completion_mode = CompletionMode::indexed;
  job_.program.restart = RestartRule::on_failure;
  EXPECT_EQ(carry_out().outcome.state, RunState::completed);
  EXPECT_THAT(lines_of("ran"), UnorderedElementsAre("0", "1", "2", "2", "3"));
  EXPECT_THAT(processes(), UnorderedElementsAre("0#1 succeeded", "1#1 succeeded", "2#1 failed",
                                                "2#2 succeeded", "3#1 succeeded"));
}

TEST_F(CommandRun, KillsEverythingAtItsDeadline) {
  command("trap '' TERM; (setsid sleep 60 & echo $! > daemon); echo $$ > pid; sleep 60");
  record_result("result");
  job_.program.deadline = 700ms;
  const auto start = std::chrono::steady_clock::now();
  const ExecutionResult end = carry_out();
  EXPECT_LT(std::chrono::steady_clock::now() - start, 10s);
  EXPECT_EQ(end.outcome.state, RunState::failed);
  EXPECT_EQ(end.outcome.reason, ErrorKind::deadline_exceeded);
  EXPECT_FALSE(heddle::testing::is_alive(std::stoi(text_of("pid"))));
  EXPECT_FALSE(heddle::testing::is_alive(std::stoi(text_of("daemon"))));
  EXPECT_THAT(lines_of("result"), ElementsAre(HasSubstr("deadline_exceeded")));
}

TEST_F(CommandRun, IsSignalledAndThenKilled) {
  command("trap 'echo asked >> asked' INT; echo > ready; while true; do sleep 0.05; done");
  job_.program.stop_signal = SIGINT;
  job_.stop_timeout = 300ms;
  record_result("result");
  bool is_asked = false;
  const ExecutionResult end = carry_out([&](HookedRun& run) {
    if (is_asked || !exists("ready")) return;
    is_asked = true;
    run.halt(Halt::stop);
  });
  EXPECT_EQ(end.outcome.state, RunState::stopped);
  EXPECT_TRUE(exists("asked"));
  EXPECT_THAT(processes(), ElementsAre("0#1 stopped"));
  EXPECT_THAT(lines_of("result"), ElementsAre(HasSubstr("stopped,")));
}

TEST_F(CommandRun, IsKilledImmediatelyWhenForced) {
  command("trap '' TERM INT; echo $$ > pid; while true; do sleep 0.05; done");
  job_.stop_timeout = 60s;
  const ExecutionResult end = carry_out([&](HookedRun& run) {
    if (exists("pid")) run.halt(Halt::force);
  });
  EXPECT_EQ(end.outcome.state, RunState::stopped);
  EXPECT_FALSE(heddle::testing::is_alive(std::stoi(text_of("pid"))));
}

TEST_F(CommandRun, HasNotCompletedWhenItsProgramObeysACancel) {
  obedient_command();
  record_result("result");
  EXPECT_EQ(halt_when_running(Halt::cancel).outcome.state, RunState::cancelled);
  EXPECT_THAT(processes(), ElementsAre("0#1 stopped"));
  EXPECT_THAT(lines_of("result"), ElementsAre("cancelled,0,,"));
}

TEST_F(CommandRun, HasNotCompletedWhenItsProgramObeysAStop) {
  obedient_command();
  record_result("result");
  EXPECT_EQ(halt_when_running(Halt::stop).outcome.state, RunState::stopped);
  EXPECT_THAT(processes(), ElementsAre("0#1 stopped"));
  EXPECT_THAT(lines_of("result"), ElementsAre("stopped,0,,"));
}

TEST_F(CommandRun, FailsWhenItsProgramObeyedAShutdownAndNothingReplacesIt) {
  obedient_command();
  record_result("result");
  EXPECT_EQ(halt_when_running(Halt::shut_down).end, ExecutionEnd::interrupted);
  EXPECT_FALSE(exists("result"));
  const ExecutionResult end = carry_out();
  EXPECT_EQ(end.outcome.state, RunState::failed);
  EXPECT_EQ(end.outcome.message, "interrupted because the daemon ended (exit code 0)");
  EXPECT_THAT(lines_of("ran"), SizeIs(1));
  EXPECT_THAT(lines_of("result"), ElementsAre("failed,0,,process_failed"));
}

TEST_F(CommandRun, RetriesAnIndexWhoseProgramObeyedAShutdown) {
  obedient_command();
  job_.program.completions = 3;
  job_.program.completion_mode = CompletionMode::indexed;
  job_.program.restart = RestartRule::on_failure;
  EXPECT_EQ(halt_when_running(Halt::shut_down).end, ExecutionEnd::interrupted);
  std::ofstream(folder_.path() / "go") << "x";
  EXPECT_EQ(carry_out().outcome.state, RunState::completed);
  EXPECT_THAT(lines_of("ran"), ElementsAre("0", "0", "1", "2"));
  EXPECT_THAT(processes(), UnorderedElementsAre("0#1 interrupted", "0#2 succeeded", "1#1 succeeded",
                                                "2#1 succeeded"));
}

TEST_F(CommandRun, ListsAProgramThatObeyedAfterAnotherFailedAsStopped) {
  command(
      "[ $HEDDLE_INDEX = 0 ] || { trap 'exit 0' TERM; echo x > ran; "
      "while true; do sleep 60 & wait $!; done; }; "
      "until [ -s ran ]; do sleep 0.02; done; exit 3");
  job_.program.completions = 2;
  job_.program.parallelism = 2;
  EXPECT_EQ(carry_out().outcome.state, RunState::failed);
  EXPECT_THAT(processes(), UnorderedElementsAre("0#1 failed", "1#1 stopped"));
}

// Its shepherd is stopped and reports the end only later.
TEST_F(CommandRun, KeepsTheResultOfAProgramThatHadEndedBeforeItWasAsked) {
  command("echo $$ > pid; kill -STOP $PPID; exit 0");
  bool is_asked = false;
  const ExecutionResult end = carry_out([&](HookedRun& run) {
    if (is_asked || !exists("pid")) return;
    if (heddle::testing::state_of(std::stoi(text_of("pid"))) != 'Z') return;
    is_asked = true;
    run.halt(Halt::cancel);
  });
  EXPECT_TRUE(is_asked);
  EXPECT_EQ(end.outcome.state, RunState::completed);
  EXPECT_THAT(processes(), ElementsAre("0#1 succeeded"));
}

TEST_F(CommandRun, FinishesRunningProcessesWhenPausedAndResumesWithTheRest) {
  command("echo $HEDDLE_INDEX >> ran; sleep 0.3");
  job_.program.completions = 3;
  add_hook(HookPhase::pre_start, "once", "echo once >> prepared");
  const ExecutionResult paused = carry_out([&](HookedRun& run) {
    if (exists("ran")) run.halt(Halt::pause);
  });
  EXPECT_EQ(paused.end, ExecutionEnd::paused);
  EXPECT_THAT(processes(), ElementsAre("0#1 succeeded"));

  const ExecutionResult end = carry_out();
  EXPECT_EQ(end.outcome.state, RunState::completed);
  EXPECT_THAT(lines_of("ran"), ElementsAre("0", "1", "2"));
  EXPECT_THAT(lines_of("prepared"), ElementsAre("once"));
}

TEST_F(CommandRun, CountsAProcessThatDiedWithTheDaemonAsAFailedAttempt) {
  ProcessRecord interrupted;
  interrupted.run = run_.id;
  interrupted.pid = 1;
  RunStageRecord working;
  working.stage = RunStage::working;
  ASSERT_TRUE(heddle::testing::run_async(journal_.record_process(interrupted)));
  ASSERT_TRUE(heddle::testing::run_async(journal_.record_stage(run_.id, working)));
  command("echo x >> ran");
  job_.program.restart = RestartRule::on_failure;
  EXPECT_EQ(carry_out().outcome.state, RunState::completed);
  EXPECT_THAT(processes(), ElementsAre("0#1 interrupted", "0#2 succeeded"));
}

TEST_F(CommandRun, FailsWhenAProcessDiedWithTheDaemonAndNothingReplacesIt) {
  ProcessRecord interrupted;
  interrupted.run = run_.id;
  RunStageRecord working;
  working.stage = RunStage::working;
  ASSERT_TRUE(heddle::testing::run_async(journal_.record_process(interrupted)));
  ASSERT_TRUE(heddle::testing::run_async(journal_.record_stage(run_.id, working)));
  command("echo x >> ran");
  record_result("result");
  const ExecutionResult end = carry_out();
  EXPECT_EQ(end.outcome.state, RunState::failed);
  EXPECT_EQ(end.errors.at(0).message, "killed with the daemon");
  EXPECT_FALSE(exists("ran"));
  EXPECT_THAT(lines_of("result"), SizeIs(1));
}

TEST_F(CommandRun, DoesNotWaitForAGrandchildThatKeepsItsOutputOpen) {
  command("sleep 60 & echo $! > left");
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(carry_out().outcome.state, RunState::completed);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 20s);
  EXPECT_FALSE(heddle::testing::is_alive(std::stoi(text_of("left"))));
}

TEST_F(CommandRun, EndsWhenAProgramStopsItsShepherd) {
  command("kill -STOP $PPID; exit 0");
  EXPECT_EQ(carry_out().outcome.state, RunState::completed);
}

TEST_F(CommandRun, TagsEachLineOfItsOutput) {
  command("echo one; echo two >&2; printf 'no end, sesame'");
  carry_out();
  const auto lines = lines_of("log/output.log");
  EXPECT_THAT(lines, UnorderedElementsAre(HasSubstr("Z R1 0.1 stdout: one"),
                                          HasSubstr("Z R1 0.1 stderr: two"),
                                          HasSubstr("Z R1 0.1 stdout: no end, [redacted]")));
}

TEST_F(CommandRun, RedactsASecretAcrossLineCuts) {
  command("head -c 8189 /dev/zero | tr '\\0' 'x'; echo sesame; printf '\\377sesame\\n'");
  carry_out();
  const std::string log = text_of("log/output.log");
  EXPECT_THAT(log, Not(HasSubstr("sesa")));
  EXPECT_THAT(log, Not(HasSubstr("same")));
  EXPECT_THAT(log, HasSubstr("\\xff[redacted]"));
}

TEST_F(CommandRun, RedactsAMultilineSecret) {
  output_log_.set_rules({}, {"-----BEGIN-----\nc2VjcmV0IGtleQ\n-----END-----"});
  command(
      "printf -- '-----BEGIN-----\\nc2VjcmV0IGtleQ\\n-----END-----\\n'; sleep 0.1; "
      "echo c2VjcmV0IGtleQ");
  carry_out();
  EXPECT_THAT(text_of("log/output.log"), Not(HasSubstr("c2V")));
}

TEST_F(CommandRun, EscapesBytesThatAreNotText) {
  command("printf '\\000\\001\\377\\033[31m'");
  carry_out();
  EXPECT_THAT(lines_of("log/output.log"),
              ElementsAre(HasSubstr("stdout: \\x00\\x01\\xff\\x1b[31m")));
}

TEST_F(CommandRun, BoundsTheOutputKeptOfAGigabyte) {
  command("head -c 1000000000 /dev/zero | tr '\\0' 'x'; echo; echo the end");
  EXPECT_EQ(carry_out().outcome.state, RunState::completed);
  std::uintmax_t kept = 0;
  for (const auto& file : std::filesystem::directory_iterator(log_file().parent_path()))
    kept += file.file_size();
  EXPECT_LT(kept, 70'000'000u);
  EXPECT_THAT(text_of("log/output.log"), HasSubstr("stdout: the end"));
}

TEST_F(CommandRun, PassesOnlyTheConfiguredEnvironment) {
  launch_context_.daemon_environment["HEDDLE_KEY"] = "own";
  launch_context_.daemon_environment["SECRET"] = "hidden";
  job_.program.env = {{"MODE", "fast"}};
  command("env | cut -d= -f1 | grep -v -e '^_$' -e PWD -e SHLVL | sort > seen");
  carry_out();
  EXPECT_THAT(lines_of("seen"),
              ElementsAre("HEDDLE_ATTEMPT", "HEDDLE_INDEX", "HEDDLE_JOB", "HEDDLE_RUN_ID",
                          "HEDDLE_TREE", "HOME", "MODE", "PATH"));
}

TEST_F(CommandRun, OfTwoHundredInParallelLeavesNothingBehind) {
  command("echo x");
  carry_out();  // opens what is opened only once
  const std::size_t before = heddle::testing::count_open_descriptors();
  std::vector<std::shared_ptr<HookedRun>> runs;
  std::vector<std::future<Result<ExecutionResult>>> ends;
  for (int i = 0; i < 200; ++i) {
    run_.id = {"R" + std::to_string(i)};
    const RunId id = run_.id;
    runs.push_back(make_run());
    HookedRun::MakeWork make = [this,
                                id](std::vector<ProcessRecord> past) -> std::shared_ptr<RunWork> {
      return std::make_shared<CommandWork>(parts(), job_, id, std::move(past));
    };
    ends.push_back(boost::asio::co_spawn(loop_, runs.back()->carry_out(std::move(make)),
                                         boost::asio::use_future));
  }
  const auto is_over = [&] {
    return std::all_of(ends.begin(), ends.end(), [](const auto& each) {
      return each.wait_for(0s) == std::future_status::ready;
    });
  };
  while (!is_over()) loop_.run_one_for(1s);
  loop_.run_for(50ms);
  for (auto& each : ends) EXPECT_EQ(each.get()->outcome.state, RunState::completed);
  runs.clear();
  EXPECT_FALSE(heddle::testing::has_children());
  EXPECT_LE(heddle::testing::count_open_descriptors(), before);
}

}  // namespace
}  // namespace heddle::commands
