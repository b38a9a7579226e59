// Hooks around runs, with real programs.
#include <signal.h>

#include "commands/run_for_test.hpp"

namespace heddle::commands {
namespace {

using namespace std::chrono_literals;
using heddle::testing::is_alive;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

class HookedCommand : public testing::ProgramRunTest {
 protected:
  HookedCommand() { job_.program.line.command = "echo job >> order"; }

  HookRule& hook(HookPhase phase, const std::string& name, const std::string& more = "true") {
    return add_hook(phase, name, "echo " + name + " >> order; " + more);
  }
  std::vector<std::string> order() { return lines_of("order"); }
  [[nodiscard]] int pid_in(const std::string& file) const { return std::stoi(text_of(file)); }
};

TEST_F(HookedCommand, RunsInOrder) {
  hook(HookPhase::post_stop, "c");
  hook(HookPhase::pre_start, "a");
  hook(HookPhase::pre_start, "b");
  hook(HookPhase::pre_stop, "never");
  EXPECT_EQ(carry_out().outcome.state, RunState::completed);
  EXPECT_THAT(order(), ElementsAre("a", "b", "job", "c"));
  EXPECT_THAT(hooks(), ElementsAre("pre_start/a#1 succeeded", "pre_start/b#1 succeeded",
                                   "post_stop/c#1 succeeded"));
}

TEST_F(HookedCommand, StartsOneProcessAfterSlowPreparation) {
  hook(HookPhase::pre_start, "slow", "sleep 3");
  EXPECT_EQ(carry_out().outcome.state, RunState::completed);
  EXPECT_THAT(order(), ElementsAre("slow", "job"));
}

TEST_F(HookedCommand, NeverStartsWhenAPreStartHookFails) {
  hook(HookPhase::pre_start, "bad", "echo why; echo not; exit 4");
  hook(HookPhase::pre_start, "later");
  hook(HookPhase::post_stop, "end");
  hook(HookPhase::post_stop, "always").always = true;
  const ExecutionResult end = carry_out();
  EXPECT_EQ(end.outcome.state, RunState::failed);
  EXPECT_TRUE(end.outcome.never_started);
  ASSERT_THAT(end.errors, SizeIs(1));
  EXPECT_EQ(end.errors[0].kind, ErrorKind::hook_failed);
  EXPECT_EQ(end.errors[0].message, "pre_start hook 'bad': exit code 4: why | not");
  EXPECT_THAT(order(), ElementsAre("bad", "always"));
  EXPECT_THAT(processes(), IsEmpty());
}

TEST_F(HookedCommand, StartsDespiteAnIgnoredFailure) {
  hook(HookPhase::pre_start, "bad", "exit 4").failure = HookFailure::ignore;
  EXPECT_EQ(carry_out().outcome.state, RunState::completed);
  EXPECT_THAT(order(), ElementsAre("bad", "job"));
  EXPECT_THAT(hooks(), ElementsAre("pre_start/bad#1 failed"));
  EXPECT_EQ(history().hooks[0].exit.code, 4);
}

TEST_F(HookedCommand, RetriesAHookAfterTheDelay) {
  HookRule& flaky =
      add_hook(HookPhase::pre_start, "flaky", "date +%s%N >> tries; [ $HEDDLE_ATTEMPT = 3 ]");
  flaky.failure = HookFailure::retry;
  flaky.retries = 3;
  flaky.retry_delay = 200ms;
  EXPECT_EQ(carry_out().outcome.state, RunState::completed);
  EXPECT_THAT(hooks(), ElementsAre("pre_start/flaky#1 failed", "pre_start/flaky#2 failed",
                                   "pre_start/flaky#3 succeeded"));
  const auto tries = lines_of("tries");
  ASSERT_THAT(tries, SizeIs(3));
  EXPECT_GE(std::stoll(tries[1]) - std::stoll(tries[0]), 200'000'000);
  EXPECT_GE(std::stoll(tries[2]) - std::stoll(tries[1]), 200'000'000);
}

TEST_F(HookedCommand, FailsWhenAHookRunsOutOfRetries) {
  HookRule& bad = hook(HookPhase::pre_start, "bad", "exit 1");
  bad.failure = HookFailure::retry;
  bad.retries = 1;
  bad.retry_delay = 10ms;
  EXPECT_EQ(carry_out().outcome.state, RunState::failed);
  EXPECT_THAT(order(), ElementsAre("bad", "bad"));
}

// Waits for files, not for time: on a busy machine a shell alone takes a tenth of a second.
TEST_F(HookedCommand, StartsWithoutWaitingForAnAsyncHook) {
  add_hook(HookPhase::pre_start, "beside",
           "echo begun >> async; while ! [ -e go ]; do sleep 0.02; done; echo over >> async")
      .mode = HookMode::async;
  const ExecutionResult end = carry_out([&](HookedRun&) {
    if (exists("order") && exists("async")) std::ofstream(folder_.path() / "go") << "x";
  });
  EXPECT_EQ(end.outcome.state, RunState::completed);
  EXPECT_THAT(lines_of("async"), ElementsAre("begun", "over"));
  EXPECT_THAT(hooks(), ElementsAre("pre_start/beside#1 succeeded"));
}

TEST_F(HookedCommand, KillsTheWholeTreeOfAHookThatTimesOut) {
  HookRule& slow = add_hook(HookPhase::pre_start, "slow",
                            "trap '' TERM; (setsid sh -c 'echo $$ > daemon; exec sleep 60' &) ; "
                            "echo $$ > pid; sleep 60 & "
                            "echo $! > child; wait");
  slow.timeout = 500ms;
  slow.failure = HookFailure::ignore;
  const auto start = std::chrono::steady_clock::now();
  carry_out();
  EXPECT_LT(std::chrono::steady_clock::now() - start, 10s);
  EXPECT_THAT(hooks(), ElementsAre("pre_start/slow#1 timed_out"));
  for (const char* file : {"pid", "child", "daemon"}) EXPECT_FALSE(is_alive(pid_in(file))) << file;
}

TEST_F(HookedCommand, CapturesAndTagsTheOutputOfHooks) {
  add_hook(HookPhase::pre_start, "talk", "echo hello; echo trouble sesame >&2");
  carry_out();
  EXPECT_THAT(lines_of("log/output.log"),
              UnorderedElementsAre(HasSubstr("Z R1 pre_start/talk.1 stdout: hello"),
                                   HasSubstr("Z R1 pre_start/talk.1 stderr: trouble [redacted]")));
  EXPECT_THAT(history().hooks[0].output,
              AllOf(HasSubstr("hello\n"), HasSubstr("trouble [redacted]\n")));
}

TEST_F(HookedCommand, RedactsASecretThatTheOutputTailCuts) {
  add_hook(HookPhase::pre_start, "talk", "printf sesame; head -c 4093 /dev/zero | tr '\\0' 'x'");
  carry_out();
  const std::string& kept = history().hooks[0].output;
  EXPECT_THAT(kept, ::testing::EndsWith("xxx"));
  EXPECT_THAT(kept, ::testing::Not(HasSubstr("ame")));
}

TEST_F(HookedCommand, PassesJobRunAndPhaseToHooks) {
  const std::string env = "env | grep ^HEDDLE_ | grep -v TREE | sort > ";
  add_hook(HookPhase::pre_start, "a", env + "a");
  add_hook(HookPhase::post_stop, "b", env + "b");
  carry_out();
  EXPECT_THAT(lines_of("a"), ElementsAre("HEDDLE_ATTEMPT=1", "HEDDLE_HOOK=a", "HEDDLE_JOB=job",
                                         "HEDDLE_PHASE=pre_start", "HEDDLE_RUN_ID=R1"));
  EXPECT_THAT(lines_of("b"), ElementsAre("HEDDLE_ATTEMPT=1", "HEDDLE_EXIT_CODE=0", "HEDDLE_HOOK=b",
                                         "HEDDLE_JOB=job", "HEDDLE_PHASE=post_stop",
                                         "HEDDLE_REASON=", "HEDDLE_RESULT=completed",
                                         "HEDDLE_RUN_ID=R1", "HEDDLE_SIGNAL="));
}

TEST_F(HookedCommand, PassesTheSignalOfADeadlineToPostStopHooks) {
  job_.program.line.command = "exec sleep 60";
  job_.program.deadline = 300ms;
  hook(HookPhase::post_stop, "end",
       "echo $HEDDLE_RESULT,$HEDDLE_EXIT_CODE,$HEDDLE_SIGNAL > result");
  EXPECT_EQ(carry_out().outcome.state, RunState::failed);
  EXPECT_THAT(lines_of("result"), ElementsAre("failed,,9"));
}

TEST_F(HookedCommand, PassesTheExitOfACancelledProcessToPostStopHooks) {
  job_.program.line.command = "echo job >> order; exec sleep 60";
  hook(HookPhase::post_stop, "end",
       "echo $HEDDLE_RESULT,$HEDDLE_EXIT_CODE,$HEDDLE_SIGNAL > result");
  carry_out([&](HookedRun& run) {
    if (exists("order")) run.halt(Halt::cancel);
  });
  EXPECT_THAT(lines_of("result"), ElementsAre("cancelled,,15"));
}

TEST_F(HookedCommand, PassesAFailureBeforeADaemonCrashToPostStopHooks) {
  ProcessRecord failed;
  failed.run = run_.id;
  failed.state = ProcessState::failed;
  failed.exit.code = 7;
  RunStageRecord record;
  record.stage = RunStage::working;
  ASSERT_TRUE(heddle::testing::run_async(journal_.record_process(failed)));
  ASSERT_TRUE(heddle::testing::run_async(journal_.record_stage(run_.id, record)));
  hook(HookPhase::post_stop, "end", "echo $HEDDLE_RESULT,$HEDDLE_EXIT_CODE > result");
  carry_out();
  EXPECT_THAT(lines_of("result"), ElementsAre("failed,7"));
}

TEST_F(HookedCommand, EndsWhenAPostStartHookFails) {
  job_.program.line.command = "echo job >> order; sleep 60";
  hook(HookPhase::post_start, "bad", "exit 1");
  hook(HookPhase::post_stop, "end");
  const ExecutionResult end = carry_out();
  EXPECT_EQ(end.outcome.state, RunState::failed);
  EXPECT_EQ(end.outcome.reason, ErrorKind::hook_failed);
  EXPECT_THAT(processes(), ElementsAre("0#1 stopped"));
  EXPECT_THAT(order(), Contains("end"));
}

TEST_F(HookedCommand, EndsWhenAnAsyncHookFails) {
  job_.program.line.command = "echo job >> order; exec sleep 60";
  hook(HookPhase::pre_start, "bad", "while ! grep -q job order; do sleep 0.02; done; exit 1").mode =
      HookMode::async;
  hook(HookPhase::post_stop, "end", "echo $HEDDLE_RESULT > result");
  EXPECT_EQ(carry_out().outcome.state, RunState::failed);
  EXPECT_THAT(processes(), ElementsAre("0#1 stopped"));
  EXPECT_THAT(lines_of("result"), ElementsAre("failed"));
}

TEST_F(HookedCommand, WaitsForAsyncHooksBeforePostStopHooks) {
  hook(HookPhase::pre_start, "bad", "sleep 0.5; exit 1").mode = HookMode::async;
  hook(HookPhase::post_stop, "end", "echo $HEDDLE_RESULT > result");
  EXPECT_EQ(carry_out().outcome.state, RunState::failed);
  EXPECT_THAT(processes(), SizeIs(1));
  EXPECT_THAT(lines_of("result"), ElementsAre("failed"));
}

TEST_F(HookedCommand, CanBeForcedWhileAHookWaitsForItsRetry) {
  HookRule& flaky = hook(HookPhase::pre_start, "flaky", "exit 1");
  flaky.failure = HookFailure::retry;
  flaky.retry_delay = 1h;
  hook(HookPhase::post_stop, "end", "echo $HEDDLE_RESULT > result").always = true;
  const ExecutionResult end = carry_out([&](HookedRun& run) {
    if (!history().hooks.empty() && history().hooks[0].ended_at) run.halt(Halt::force);
  });
  EXPECT_EQ(end.outcome.state, RunState::stopped);
  EXPECT_THAT(lines_of("result"), ElementsAre("stopped"));
}

TEST_F(HookedCommand, LimitsPostStopHooksWhenForced) {
  job_.stop_timeout = 1s;
  HookRule& slow = hook(HookPhase::post_stop, "slow", "exec sleep 600");
  slow.timeout = 1h;
  const ExecutionResult end = carry_out([&](HookedRun& run) {
    if (order().size() == 2) run.halt(Halt::force);
  });
  EXPECT_THAT(hooks(), ElementsAre("post_stop/slow#1 timed_out"));
  EXPECT_EQ(end.outcome.state, RunState::failed);
}

TEST_F(HookedCommand, DoesNotRetryPostStopHooksWhenForced) {
  HookRule& flaky = hook(HookPhase::post_stop, "flaky", "exit 1");
  flaky.failure = HookFailure::retry;
  flaky.retry_delay = 1h;
  const ExecutionResult end = carry_out([&](HookedRun& run) {
    if (!history().hooks.empty() && history().hooks[0].ended_at) run.halt(Halt::force);
  });
  EXPECT_THAT(hooks(), ElementsAre("post_stop/flaky#1 failed"));
  EXPECT_EQ(end.outcome.state, RunState::failed);
}

TEST_F(HookedCommand, PausesBetweenTwoPreStartHooks) {
  hook(HookPhase::pre_start, "a", "while ! [ -e go ]; do sleep 0.02; done");
  hook(HookPhase::pre_start, "b");
  const ExecutionResult paused = carry_out([&](HookedRun& run) {
    if (!exists("order")) return;
    run.halt(Halt::pause);
    std::ofstream(folder_.path() / "go") << "x";
  });
  EXPECT_EQ(paused.end, ExecutionEnd::paused);
  EXPECT_THAT(order(), ElementsAre("a"));
  EXPECT_EQ(carry_out().outcome.state, RunState::completed);
  EXPECT_THAT(order(), ElementsAre("a", "b", "job"));
}

// The post_stop hooks clean up after pre_start though the work never began.
TEST_F(HookedCommand, RunsPostStopHooksWhenCancelledAfterItsPreparation) {
  hook(HookPhase::pre_start, "a", "while ! [ -e go ]; do sleep 0.02; done");
  hook(HookPhase::post_stop, "end");
  const ExecutionResult paused = carry_out([&](HookedRun& run) {
    if (!exists("order")) return;
    run.halt(Halt::pause);
    std::ofstream(folder_.path() / "go") << "x";
  });
  EXPECT_EQ(paused.end, ExecutionEnd::paused);
  const auto again = make_run();
  again->halt(Halt::cancel);
  const ExecutionResult end = drive(*again, again->carry_out(make_work()));
  EXPECT_EQ(end.outcome.state, RunState::cancelled);
  EXPECT_FALSE(end.outcome.never_started);
  EXPECT_THAT(order(), ElementsAre("a", "end"));
  EXPECT_THAT(processes(), IsEmpty());
}

// An action without a daemon ends a run by its stage alone: it does not know which hooks are over.
TEST_F(HookedCommand, RunsPostStopHooksWhenPreStartHooksWereOverThoughTheRecordSaysOtherwise) {
  hook(HookPhase::pre_start, "a");
  hook(HookPhase::post_stop, "end");
  HookRecord prepared;
  prepared.run = run_.id;
  prepared.phase = HookPhase::pre_start;
  prepared.hook = "a";
  prepared.attempt = 1;
  prepared.state = HookState::succeeded;
  ASSERT_TRUE(heddle::testing::run_async(journal_.record_hook(prepared)));
  RunOutcome cancelled;
  cancelled.state = RunState::cancelled;
  cancelled.never_started = true;
  ASSERT_TRUE(
      heddle::testing::run_async(journal_.record_stage(run_.id, {RunStage::finishing, cancelled})));
  EXPECT_EQ(carry_out().outcome.state, RunState::cancelled);
  EXPECT_THAT(order(), ElementsAre("end"));
}

TEST_F(HookedCommand, SkipsPostStopHooksWhenPreStartHooksWereNotOver) {
  hook(HookPhase::pre_start, "a");
  hook(HookPhase::post_stop, "end");
  hook(HookPhase::post_stop, "always");
  job_.hooks.back().always = true;
  RunOutcome cancelled;
  cancelled.state = RunState::cancelled;
  cancelled.never_started = true;
  ASSERT_TRUE(
      heddle::testing::run_async(journal_.record_stage(run_.id, {RunStage::finishing, cancelled})));
  EXPECT_EQ(carry_out().outcome.state, RunState::cancelled);
  EXPECT_THAT(order(), ElementsAre("always"));
}

TEST_F(HookedCommand, RunsPreStopHooksAndStopsDespiteTheirFailure) {
  job_.program.line.command = "echo job >> order; exec sleep 60";
  hook(HookPhase::pre_stop, "bad", "exit 1");
  hook(HookPhase::post_stop, "end");
  const ExecutionResult end = carry_out([&](HookedRun& run) {
    if (exists("order")) run.halt(Halt::stop);
  });
  EXPECT_EQ(end.outcome.state, RunState::failed);
  EXPECT_THAT(order(), ElementsAre("job", "bad", "end"));
}

TEST_F(HookedCommand, RunsNoPreStopHooksWhenCancelled) {
  job_.program.line.command = "echo job >> order; exec sleep 60";
  hook(HookPhase::pre_stop, "never");
  hook(HookPhase::post_stop, "end");
  const ExecutionResult end = carry_out([&](HookedRun& run) {
    if (exists("order")) run.halt(Halt::cancel);
  });
  EXPECT_EQ(end.outcome.state, RunState::cancelled);
  EXPECT_THAT(order(), ElementsAre("job", "end"));
}

TEST_F(HookedCommand, RunsTheOtherPostStopHooksWhenOneFails) {
  hook(HookPhase::post_stop, "bad", "exit 1");
  hook(HookPhase::post_stop, "good");
  EXPECT_EQ(carry_out().outcome.state, RunState::failed);
  EXPECT_THAT(order(), ElementsAre("job", "bad", "good"));
}

TEST_F(HookedCommand, CanBeCancelledDuringItsPreparation) {
  hook(HookPhase::pre_start, "slow", "sleep 60");
  hook(HookPhase::pre_start, "later");
  hook(HookPhase::post_stop, "end");
  job_.hooks[0].timeout = 60s;
  const ExecutionResult end = carry_out([&](HookedRun& run) {
    if (exists("order")) run.halt(Halt::cancel);
  });
  EXPECT_EQ(end.outcome.state, RunState::cancelled);
  EXPECT_TRUE(end.outcome.never_started);
  EXPECT_THAT(order(), ElementsAre("slow"));
}

TEST_F(HookedCommand, IsNotPreparedWhenAHookObeysACancel) {
  add_hook(HookPhase::pre_start, "slow",
           "trap 'exit 0' TERM; echo slow >> order; while true; do sleep 60 & wait $!; done");
  hook(HookPhase::post_stop, "end");
  job_.hooks[0].timeout = 60s;
  const ExecutionResult end = carry_out([&](HookedRun& run) {
    if (exists("order")) run.halt(Halt::cancel);
  });
  EXPECT_EQ(end.outcome.state, RunState::cancelled);
  EXPECT_TRUE(end.outcome.never_started);
  EXPECT_THAT(order(), ElementsAre("slow"));
}

TEST_F(HookedCommand, IsResumedByTheNextDaemon) {
  job_.program.line.command = "echo job >> order; sleep 60";
  job_.program.restart = RestartRule::on_failure;
  hook(HookPhase::pre_start, "a");
  hook(HookPhase::post_stop, "end");
  const ExecutionResult left = carry_out([&](HookedRun& run) {
    if (order().size() == 2) run.halt(Halt::shut_down);
  });
  EXPECT_EQ(left.end, ExecutionEnd::interrupted);
  EXPECT_THAT(processes(), ElementsAre("0#1 interrupted"));
  job_.program.line.command = "echo job >> order";
  EXPECT_EQ(carry_out().outcome.state, RunState::completed);
  EXPECT_THAT(order(), ElementsAre("a", "job", "job", "end"));
}

// The run was cancelled while no daemon ran.
TEST_F(HookedCommand, RecordsProcessesOfACrashedDaemonAsInterrupted) {
  ProcessRecord running;
  running.run = run_.id;
  running.attempt = 1;
  RunStageRecord record;
  record.stage = RunStage::finishing;
  record.outcome = RunOutcome{};
  record.outcome->state = RunState::cancelled;
  ASSERT_TRUE(heddle::testing::run_async(journal_.record_process(running)));
  ASSERT_TRUE(heddle::testing::run_async(journal_.record_stage(run_.id, record)));
  hook(HookPhase::post_stop, "end");
  EXPECT_EQ(carry_out().outcome.state, RunState::cancelled);
  EXPECT_THAT(processes(), ElementsAre("0#1 interrupted"));
  EXPECT_THAT(order(), ElementsAre("end"));
}

TEST_F(HookedCommand, RepeatsAnInterruptedHookOnlyWithRetries) {
  HookRecord running;
  running.run = run_.id;
  running.phase = HookPhase::post_stop;
  running.hook = "interrupted";
  HookRecord retried = running;
  retried.hook = "retried";
  RunStageRecord record;
  record.stage = RunStage::finishing;
  record.outcome = RunOutcome{};
  ASSERT_TRUE(heddle::testing::run_async(journal_.record_hook(running)));
  ASSERT_TRUE(heddle::testing::run_async(journal_.record_hook(retried)));
  ASSERT_TRUE(heddle::testing::run_async(journal_.record_stage(run_.id, record)));
  hook(HookPhase::pre_start, "not-again");
  hook(HookPhase::post_stop, "interrupted").failure = HookFailure::ignore;
  hook(HookPhase::post_stop, "retried").failure = HookFailure::retry;
  hook(HookPhase::post_stop, "not-begun");
  EXPECT_EQ(carry_out().outcome.state, RunState::completed);
  EXPECT_THAT(order(), ElementsAre("retried", "not-begun"));
  EXPECT_THAT(hooks(),
              ElementsAre("post_stop/interrupted#1 interrupted", "post_stop/retried#1 interrupted",
                          "post_stop/retried#2 succeeded", "post_stop/not-begun#1 succeeded"));
}

// A hostile script ends in time, is reported and leaves no process behind.
class HostileHook : public HookedCommand, public ::testing::WithParamInterface<std::string> {};

TEST_P(HostileHook, IsBoundedReportedAndGone) {
  HookRule& evil = add_hook(HookPhase::pre_start, "evil", "echo $$ > pid; " + GetParam());
  evil.timeout = 2s;
  evil.failure = HookFailure::ignore;
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(carry_out().outcome.state, RunState::completed);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 20s);
  ASSERT_THAT(history().hooks, SizeIs(1));
  EXPECT_NE(history().hooks[0].state, HookState::running);
  EXPECT_LE(history().hooks[0].output.size(), 64'000u);
  for (const auto& file : std::filesystem::directory_iterator(folder_.path())) {
    if (!file.path().filename().string().starts_with("pid")) continue;
    EXPECT_FALSE(is_alive(std::stoi(heddle::testing::read_file(file.path()))));
  }
  EXPECT_THAT(order(), ElementsAre("job"));
}

INSTANTIATE_TEST_SUITE_P(
    All, HostileHook,
    ::testing::Values("for i in 1 2 3; do (setsid sh -c \"echo \\$\\$ > pid$i; exec sleep 60\" &); "
                      "done; sleep 0.3",
                      "trap '' TERM INT HUP; while true; do sleep 1; done",
                      "yes | head -c 1000000000", "head -c 3000000 /dev/urandom",
                      "exec >&- 2>&-; sleep 60", "sleep 60", "kill -STOP $$",
                      "exec 3>&1; (while true; do echo x >&3; done) & echo $! > pid1"));

}  // namespace
}  // namespace heddle::commands
