// Pausing, cancelling and stopping command jobs, with a real daemon that is also killed.
#include <csignal>
#include <fstream>

#include "tests/daemon/command_fixture.hpp"

namespace heddle::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;
using namespace std::chrono_literals;

TEST_F(CommandJobs, CanBeCancelledDuringTheirPreStartHooks) {
  command("echo x >> ran",
          hook("pre_start", "slow", "sleep 600", "timeout = \"1h\"\n") +
              hook("post_stop", "never", "echo x > never") +
              hook("post_stop", "always", "echo $HEDDLE_RESULT > always", "always = true\n"));
  const RunningDaemon daemon(project_, 1);
  expect({"trigger", "work"}, 0, "work: starting");
  ASSERT_TRUE(eventually(
      [&] { return count("SELECT count(*) FROM hook_tries WHERE state = 'running'") == 1; }));
  expect({"cancel", "work"}, 0, "work: scheduled");
  ASSERT_TRUE(eventually([&] { return ended_runs() == 1; })) << daemon.log();
  EXPECT_EQ(result(), "cancelled");
  EXPECT_FALSE(exists("ran"));
  EXPECT_FALSE(exists("never"));
  EXPECT_THAT(lines("always"), ElementsAre("cancelled"));
}

TEST_F(CommandJobs, AreStoppedWithTheirHooks) {
  command("trap 'echo asked >> order; exit 0' TERM; echo $$ > pid; while true; do sleep 0.05; done",
          hook("pre_stop", "before", "echo before >> order") +
              hook("post_stop", "after", "echo after >> order"));
  const RunningDaemon daemon(project_, 1);
  expect({"trigger", "work"}, 0, "work: ");
  ASSERT_TRUE(eventually([&] { return exists("pid"); })) << daemon.log();
  expect({"stop", "work"}, 0, "work: stopping");
  ASSERT_TRUE(reaches_state("stopped")) << daemon.log();
  EXPECT_THAT(lines("order"), ElementsAre("before", "asked", "after"));
}

TEST_F(CommandJobs, ThatEndAsTheyAreAskedHaveNotCompleted) {
  command("trap 'exit 0' TERM; echo x >> ran; while true; do sleep 600 & wait $!; done",
          hook("post_stop", "after", "echo $HEDDLE_RESULT >> results"));
  project_.write_job("next", "kind = \"command\"\ncommand = \"true\"\nafter = [\"work\"]\n");
  {
    RunningDaemon daemon(project_, 1);
    expect({"trigger", "work"}, 0, "work: ");
    ASSERT_TRUE(eventually([&] { return lines("ran").size() == 1; })) << daemon.log();
    expect({"cancel", "work"}, 0, "work: scheduled");
    ASSERT_TRUE(eventually([&] { return ended_runs() == 1; })) << daemon.log();
    EXPECT_EQ(result(), "cancelled");
    expect({"trigger", "work"}, 0, "work: ");
    ASSERT_TRUE(eventually([&] { return lines("ran").size() == 2; })) << daemon.log();
    daemon.signal(SIGTERM);
    EXPECT_EQ(daemon.wait().exit_code, 0);
  }
  EXPECT_EQ(ended_runs(), 1);
  const RunningDaemon daemon(project_, 1);
  ASSERT_TRUE(eventually([&] { return ended_runs() == 2; })) << daemon.log();
  EXPECT_EQ(result(), "failed");
  expect({"trigger", "work"}, 0, "work: ");
  ASSERT_TRUE(eventually([&] { return lines("ran").size() == 3; })) << daemon.log();
  expect({"stop", "work"}, 0, "work: stopping");
  ASSERT_TRUE(reaches_state("stopped")) << daemon.log();
  EXPECT_EQ(result(), "stopped");
  EXPECT_THAT(lines("results"), ElementsAre("cancelled", "failed", "stopped"));
  EXPECT_EQ(count("SELECT count(*) FROM runs"), 3) << "nothing has run after it";
}

TEST_F(CommandJobs, ThatIgnoreTheStopSignalAreKilledAndRunTheirPostStopHooks) {
  command("trap '' TERM; echo $$ > pid; while true; do sleep 0.05; done",
          "stop_timeout = \"1h\"\n" + hook("post_stop", "after", "echo $HEDDLE_RESULT >> order"));
  const RunningDaemon daemon(project_, 1);
  expect({"trigger", "work"}, 0, "work: ");
  const pid_t pid = read_pid(file("pid"));
  expect({"stop", "work", "--now"}, 0, "work: stopping");
  ASSERT_TRUE(reaches_state("stopped")) << daemon.log();
  EXPECT_FALSE(is_alive(pid));
  EXPECT_THAT(lines("order"), ElementsAre("stopped"));
  expect({"show", "work"}, 0, "programs: stopped");
}

TEST_F(CommandJobs, CanBeForceStoppedWhileACancelledRunEnds) {
  command("trap '' TERM; echo $$ > pid; while true; do sleep 0.05; done",
          "stop_timeout = \"1h\"\n" + hook("post_stop", "after", "echo $HEDDLE_RESULT >> order"));
  const RunningDaemon daemon(project_, 1);
  expect({"trigger", "work"}, 0, "work: ");
  const pid_t pid = read_pid(file("pid"));
  expect({"cancel", "work"}, 0, "work: scheduled");
  expect({"stop", "work", "--now"}, 0, "work: stopping");
  ASSERT_TRUE(reaches_state("stopped")) << daemon.log();
  EXPECT_FALSE(is_alive(pid));
  EXPECT_THAT(lines("order"), ElementsAre("cancelled"));
  EXPECT_EQ(unfinished_runs(), 0);
}

TEST_F(CommandJobs, CanBeForceStoppedAfterAStop) {
  command("trap '' TERM; echo $$ > pid; while true; do sleep 0.05; done",
          "stop_timeout = \"1h\"\n" + hook("post_stop", "after", "echo $HEDDLE_RESULT >> order"));
  const RunningDaemon daemon(project_, 1);
  expect({"trigger", "work"}, 0, "work: ");
  const pid_t pid = read_pid(file("pid"));
  expect({"stop", "work"}, 0, "work: stopping");
  expect({"stop", "work", "--now"}, 0, "work: stopping");
  ASSERT_TRUE(reaches_state("stopped")) << daemon.log();
  EXPECT_FALSE(is_alive(pid));
  EXPECT_THAT(lines("order"), ElementsAre("stopped"));
}

TEST_F(CommandJobs, StopInTimeWhateverTheirPostStopHooksDo) {
  command("true",
          "stop_timeout = \"1s\"\n" +
              hook("post_stop", "slow", "echo $$ > pid; exec sleep 600", "timeout = \"1h\"\n") +
              hook("post_stop", "again", "exit 1",
                   "failure = \"retry\"\nretry_delay = \"1h\"\nmode = \"async\"\n"));
  const RunningDaemon daemon(project_, 1);
  expect({"trigger", "work"}, 0, "work: ");
  const pid_t pid = read_pid(file("pid"));
  expect({"stop", "work", "--now"}, 0, "work: stopping");
  ASSERT_TRUE(reaches_state("stopped")) << daemon.log();
  EXPECT_FALSE(is_alive(pid));
  EXPECT_EQ(count("SELECT count(*) FROM hook_tries WHERE state = 'timed_out'"), 1);
}

TEST_F(CommandJobs, EndTheirParallelHooksWhenTheyAreCancelled) {
  command("exec sleep 600", hook("post_start", "beside", "echo $$ > pid; exec sleep 600",
                                 "mode = \"async\"\ntimeout = \"1h\"\n"));
  const RunningDaemon daemon(project_, 1);
  expect({"trigger", "work"}, 0, "work: ");
  const pid_t pid = read_pid(file("pid"));
  expect({"cancel", "work"}, 0, "work: scheduled");
  ASSERT_TRUE(eventually([&] { return ended_runs() == 1; })) << daemon.log();
  EXPECT_EQ(result(), "cancelled");
  EXPECT_FALSE(is_alive(pid));
}

TEST_F(CommandJobs, ReportThatACancelledRunHasNotEndedYet) {
  command("trap '' TERM; echo $$ > pid; while true; do sleep 0.05; done",
          "stop_timeout = \"1h\"\n");
  const RunningDaemon daemon(project_, 1);
  expect({"trigger", "work"}, 0, "work: ");
  read_pid(file("pid"));
  expect({"cancel", "work"}, 0, "work: scheduled");
  expect({"trigger", "work"}, 1, "its last run has not ended yet (`heddle show work`)");
}

TEST_F(CommandJobs, EndWhenAParallelHookFails) {
  command("echo $$ > pid; exec sleep 600",
          hook("post_start", "bad", "while ! [ -e go ]; do sleep 0.02; done; exit 1",
               "mode = \"async\"\n") +
              hook("post_stop", "after", "echo $HEDDLE_RESULT,$HEDDLE_REASON >> order"));
  const RunningDaemon daemon(project_, 1);
  expect({"trigger", "work"}, 0, "work: ");
  read_pid(file("pid"));
  std::ofstream(file("go")) << "x";
  ASSERT_TRUE(eventually([&] { return ended_runs() == 1; })) << daemon.log();
  EXPECT_EQ(result(), "failed");
  EXPECT_THAT(lines("order"), ElementsAre("failed,hook_failed"));
}

TEST_F(CommandJobs, DoNotStartWhenTheyArePausedDuringTheirPreStartHooks) {
  command("echo x >> ran",
          hook("pre_start", "slow", "echo x >> first; while ! [ -e go ]; do sleep 0.02; done") +
              hook("pre_start", "next", "echo x >> next"));
  const RunningDaemon daemon(project_, 1);
  expect({"trigger", "work"}, 0, "work: starting");
  ASSERT_TRUE(eventually([&] { return lines("first").size() == 1; })) << daemon.log();
  expect({"pause", "work"}, 0, "work: paused");  // while the hook still runs
  std::ofstream(file("go")) << "x";
  ASSERT_TRUE(eventually([&] {
    return count("SELECT count(*) FROM runs WHERE state = 'paused'") == 1;
  })) << daemon.log();
  EXPECT_FALSE(exists("next"));
  EXPECT_FALSE(exists("ran"));
  expect({"resume", "work"}, 0, "work: running");
  ASSERT_TRUE(eventually([&] { return ended_runs() == 1; })) << daemon.log();
  EXPECT_EQ(result(), "completed");
  EXPECT_THAT(lines("first"), SizeIs(1)) << "it had succeeded";
  EXPECT_THAT(lines("next"), SizeIs(1));
  EXPECT_THAT(lines("ran"), SizeIs(1));
}

// Whatever action was pending when the daemon was killed.
TEST_F(CommandJobs, RunTheirPostStopHooksWhenTheDaemonIsKilledDuringACancel) {
  command("trap '' TERM; echo $$ > pid; while true; do sleep 0.05; done",
          "stop_timeout = \"1h\"\n" + hook("post_stop", "after", "echo x >> order"));
  {
    RunningDaemon daemon(project_, 1);
    expect({"trigger", "work"}, 0, "work: ");
    read_pid(file("pid"));
    expect({"cancel", "work"}, 0, "work: scheduled");
    expect({"stop", "work"}, 0, "work: stopping");
    daemon.signal(SIGKILL);
    daemon.wait();
  }
  const RunningDaemon daemon(project_, 1);
  ASSERT_TRUE(reaches_state("stopped")) << daemon.log();
  EXPECT_EQ(unfinished_runs(), 0);
  EXPECT_THAT(lines("order"), SizeIs(1));
}

TEST_F(CommandJobs, StayCancelledWhenTheirJobWasPausedBeforeTheDaemonWasKilled) {
  command("trap '' TERM; echo $$ > pid; while true; do sleep 0.05; done",
          "stop_timeout = \"1h\"\n" + hook("post_stop", "after", "echo $HEDDLE_RESULT >> order"));
  {
    RunningDaemon daemon(project_, 1);
    expect({"trigger", "work"}, 0, "work: ");
    read_pid(file("pid"));
    expect({"cancel", "work"}, 0, "work: scheduled");
    expect({"pause", "work"}, 0, "work: paused");
    daemon.signal(SIGKILL);
    daemon.wait();
  }
  const RunningDaemon daemon(project_, 1);
  ASSERT_TRUE(eventually([&] { return unfinished_runs() == 0; })) << daemon.log();
  EXPECT_EQ(result(), "cancelled");
  EXPECT_THAT(lines("order"), ElementsAre("cancelled"));
  EXPECT_EQ(state(), "paused");
  expect({"resume", "work"}, 0, "work: scheduled");
}

// As written by older versions.
TEST_F(CommandJobs, OfAStoppedJobRunTheirPostStopHooksWithoutAStatusEntry) {
  command("echo $$ > pid; exec sleep 600", hook("post_stop", "after", "echo x >> order"));
  {
    RunningDaemon daemon(project_, 1);
    expect({"trigger", "work"}, 0, "work: ");
    read_pid(file("pid"));
    daemon.signal(SIGKILL);
    daemon.wait();
  }
  execute("UPDATE job_lives SET state = 'stopped', run = NULL");
  const RunningDaemon daemon(project_, 1);
  ASSERT_TRUE(eventually([&] { return ended_runs() == 1; })) << daemon.log();
  EXPECT_THAT(lines("order"), SizeIs(1));
  EXPECT_EQ(state(), "stopped");
}

TEST_F(CommandJobs, EndedWithoutADaemonRunTheirPostStopHooksInTheNextOne) {
  for (const auto& [action, result] : {std::pair{"cancel", "cancelled"}, {"stop", "stopped"}}) {
    command("echo x >> ran; sleep 600", hook("post_stop", "end", "echo $HEDDLE_RESULT >> end"));
    {
      RunningDaemon daemon(project_, 1);
      const std::size_t before = lines("ran").size();
      expect({"trigger", "work"}, 0, "work: ");
      ASSERT_TRUE(eventually([&] { return lines("ran").size() == before + 1; })) << daemon.log();
      daemon.signal(SIGKILL);
      daemon.wait();
    }
    expect({action, "work"}, 0, "work: ");
    const std::int64_t ended = ended_runs();
    const RunningDaemon next(project_, 1);
    ASSERT_TRUE(eventually([&] { return ended_runs() == ended + 1; })) << next.log();
    EXPECT_EQ(this->result(), result);
    EXPECT_EQ(lines("end").back(), result);
  }
  EXPECT_THAT(lines("end"), SizeIs(2));
  EXPECT_THAT(lines("ran"), SizeIs(2));
}

TEST_F(CommandJobs, FinishTheirProcessWhenTheyArePaused) {
  command("echo $HEDDLE_INDEX >> ran; while ! [ -e go ]; do sleep 0.02; done",
          "completions = 3\n" + hook("pre_start", "once", "echo x >> once") +
              hook("post_stop", "end", "echo x >> end"));
  const RunningDaemon daemon(project_, 1);
  expect({"trigger", "work"}, 0, "work: ");
  ASSERT_TRUE(eventually([&] { return lines("ran").size() == 1; })) << daemon.log();
  expect({"pause", "work"}, 0, "work: paused");
  std::ofstream(file("go")) << "x";
  ASSERT_TRUE(
      eventually([&] { return count("SELECT count(*) FROM runs WHERE state = 'paused'") == 1; }));
  EXPECT_FALSE(exists("end"));
  const auto ran = lines("ran").size();
  expect({"resume", "work"}, 0, "work: running");
  ASSERT_TRUE(eventually([&] { return ended_runs() == 1; })) << daemon.log();
  EXPECT_EQ(result(), "completed");
  EXPECT_EQ(ran, 1u);
  EXPECT_THAT(lines("ran"), ElementsAre("0", "1", "2"));
  EXPECT_THAT(lines("once"), SizeIs(1));
  EXPECT_THAT(lines("end"), SizeIs(1));
}

TEST_F(CommandJobs, AreResumedWhenTheProcessInProgressHasFinished) {
  command("echo $HEDDLE_INDEX >> ran; while ! [ -e go ]; do sleep 0.02; done", "completions = 2\n");
  const RunningDaemon daemon(project_, 1);
  expect({"trigger", "work"}, 0, "work: ");
  ASSERT_TRUE(eventually([&] { return lines("ran").size() == 1; })) << daemon.log();
  expect({"pause", "work"}, 0, "work: paused");
  expect({"resume", "work"}, 0,
         "work: paused; its run continues when the programs in progress have finished");
  expect({"show", "work"}, 0, "for what is in progress to finish, since ");
  EXPECT_THAT(lines("ran"), SizeIs(1));
  std::ofstream(file("go")) << "x";
  ASSERT_TRUE(eventually([&] { return ended_runs() == 1; })) << daemon.log();
  EXPECT_EQ(result(), "completed");
  EXPECT_THAT(lines("ran"), ElementsAre("0", "1"));
}

TEST_F(CommandJobs, RunTheirPostStopHooksWhenCancelledWhilePaused) {
  command("echo x >> ran; while ! [ -e go ]; do sleep 0.02; done",
          "completions = 3\n" + hook("post_stop", "end", "echo $HEDDLE_RESULT >> end"));
  const RunningDaemon daemon(project_, 1);
  expect({"trigger", "work"}, 0, "work: ");
  ASSERT_TRUE(eventually([&] { return lines("ran").size() == 1; }));
  expect({"pause", "work"}, 0, "work: paused");
  std::ofstream(file("go")) << "x";
  ASSERT_TRUE(
      eventually([&] { return count("SELECT count(*) FROM runs WHERE state = 'paused'") == 1; }));
  expect({"cancel", "work"}, 0, "work: scheduled");
  ASSERT_TRUE(eventually([&] { return ended_runs() == 1; })) << daemon.log();
  EXPECT_EQ(result(), "cancelled");
  EXPECT_THAT(lines("end"), ElementsAre("cancelled"));
}

// Their run could be resumed now that the files are back: the new run replaces it.
TEST_F(CommandJobs, StartANewForegroundRunWhileARunWaitsForTheirFiles) {
  const auto ran = project_.path() / "ran";
  const auto go = project_.path() / "go";
  command("echo x >> " + ran.string() + "; until [ -e " + go.string() + " ]; do sleep 0.05; done",
          "completions = 3\n" + hook("post_stop", "after", "echo $HEDDLE_RESULT >> after"));
  const auto folder = project_.path() / "jobs/work";
  const auto away = project_.path() / "away";
  {
    RunningDaemon daemon(project_, 1);
    expect({"trigger", "work"}, 0, "work: ");
    ASSERT_TRUE(eventually([&] { return std::filesystem::exists(ran); })) << daemon.log();
    std::filesystem::rename(folder, away);
    ASSERT_TRUE(daemon.logs("it is paused until")) << daemon.log();
    std::ofstream(go) << "x";
    ASSERT_TRUE(eventually([&] {
      return count("SELECT count(*) FROM runs WHERE state = 'paused'") == 1;
    })) << daemon.log();
    daemon.signal(SIGKILL);
    daemon.wait();
  }
  std::filesystem::rename(away, folder);
  expect({"run", "work"}, 0, "work: completed");
  EXPECT_EQ(unfinished_runs(), 0);
  EXPECT_THAT(lines("after"), ElementsAre("cancelled", "completed"));
}

}  // namespace
}  // namespace heddle::testing
