// Command jobs, services and hooks with the real program, a real daemon and real deaths.
#include <csignal>
#include <fstream>

#include <sys/resource.h>

#include "tests/daemon/daemon_fixture.hpp"

namespace heddle::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class ProgramJobs : public DaemonFixture {
 protected:
  // A command job "work"; what it writes lies beside its config.toml.
  void command(const std::string& line, const std::string& more = "",
               const std::string& kind = "command") {
    project_.write_job("work", "kind = \"" + kind + "\"\ncommand = '''" + line + "'''\n" + more);
  }
  static std::string hook(const std::string& phase, const std::string& name,
                          const std::string& line, const std::string& more = "") {
    return "[[hooks." + phase + "]]\nname = \"" + name + "\"\ncommand = '''" + line + "'''\n" +
           more;
  }
  [[nodiscard]] std::filesystem::path file(const std::string& name) const {
    return project_.path() / "jobs" / "work" / name;
  }
  [[nodiscard]] std::vector<std::string> lines(const std::string& name) const {
    std::vector<std::string> out;
    std::ifstream in(file(name));
    for (std::string line; std::getline(in, line);) out.push_back(line);
    return out;
  }
  [[nodiscard]] bool exists(const std::string& name) const {
    return std::filesystem::exists(file(name));
  }
  std::string state(const std::string& job = "work") {
    return std::string(project_.heddle_json({"show", job}).at("state").as_string());
  }
  bool comes_to(const std::string& wanted, const std::string& job = "work") {
    return holds_soon([&] { return state(job) == wanted; });
  }
  // Of the last run that ended.
  std::string result() {
    const auto last = count("SELECT max(number) FROM runs");
    for (const char* word : {"completed", "failed", "stopped", "cancelled", "limited"})
      if (count("SELECT count(*) FROM runs WHERE number = " + std::to_string(last) +
                " AND state = '" + word + "'") == 1)
        return word;
    return "";
  }
  std::int64_t ended_runs() {
    return count("SELECT count(*) FROM runs WHERE ended_at IS NOT NULL");
  }
};

TEST_F(ProgramJobs, RunInTheForegroundAndShowWhatTheyWrite) {
  command("echo to the screen; echo beside >&2", hook("pre_start", "first", "echo prepared"));
  const ProgramResult run = project_.heddle({"run", "work"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, AllOf(HasSubstr("prepared\n"), HasSubstr("to the screen\n"),
                             HasSubstr("work: completed")));
  EXPECT_THAT(run.err, HasSubstr("beside\n"));
  const ProgramResult logs = project_.heddle({"logs", "work"});
  EXPECT_THAT(logs.out, AllOf(HasSubstr("pre_start/first.1 stdout: prepared"),
                              HasSubstr("0.1 stdout: to the screen")));
}

// What we need for ourselves is not what programs count on.
TEST_F(ProgramJobs, HaveTheLimitOfOpenFilesThatHeddleWasStartedWith) {
  rlimit ours{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &ours), 0);
  rlimit lower = ours;
  lower.rlim_cur = 777;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &lower), 0);
  command("ulimit -Sn > limit");
  const ProgramResult run = project_.heddle({"run", "work"});
  setrlimit(RLIMIT_NOFILE, &ours);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(lines("limit"), ElementsAre("777"));
}

TEST_F(ProgramJobs, FailWithTheirProgram) {
  command("exit 3", hook("post_stop", "tell", "echo $HEDDLE_RESULT,$HEDDLE_EXIT_CODE >> told"));
  const ProgramResult run = project_.heddle({"run", "work"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.out, HasSubstr("exit code 3"));
  EXPECT_THAT(lines("told"), ElementsAre("failed,3"));
  const auto shown = project_.heddle_json({"show", "work"});
  const auto& programs = shown.at("programs");
  EXPECT_EQ(programs.at("phase"), "failed");
  EXPECT_EQ(programs.at("failed"), 1);
  EXPECT_EQ(programs.at("conditions").as_array().at(0).at("reason"), "process_failed");
  EXPECT_EQ(programs.at("processes").as_array().at(0).at("exit_code"), 3);
  EXPECT_EQ(programs.at("hooks").as_array().at(0).at("state"), "succeeded");
  expect({"show", "work"}, 0, "PROCESS");
}

TEST_F(ProgramJobs, CountTheTimeThatTheirProcessesTook) {
  command("i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done");
  EXPECT_GT(project_.heddle_json({"run", "work"}).at("cpu_ms").to_number<double>(), 0);
  EXPECT_GT(count("SELECT cpu_us FROM runs"), 0);
}

TEST_F(ProgramJobs, AreFollowedOnceWhenTheirLastTryHasFailed) {
  command("exit 1", "[retry]\nruns = 2\nbase = \"50ms\"\n");
  project_.write_job("rescue",
                     "kind = \"command\"\ncommand = \"true\"\n"
                     "after = {job = \"work\", on = \"failed\"}\n");
  const RunningDaemon daemon(project_, 1);
  expect({"trigger", "work"}, 0, "work: ");
  ASSERT_TRUE(holds_soon([&] {
    return count("SELECT count(*) FROM runs WHERE state = 'completed'") > 0;
  })) << daemon.log();
  EXPECT_EQ(count("SELECT count(*) FROM runs WHERE state = 'failed'"), 3);
  EXPECT_EQ(count("SELECT count(*) FROM runs WHERE state = 'completed'"), 1);
}

TEST_F(ProgramJobs, NeverStartWhenAPreparationFails) {
  command("echo x > ran", hook("pre_start", "bad", "echo no way; exit 1") +
                              hook("pre_start", "later", "echo x > later"));
  const ProgramResult run = project_.heddle({"run", "work"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.out, HasSubstr("pre_start hook 'bad': exit code 1: no way"));
  EXPECT_FALSE(exists("ran"));
  EXPECT_FALSE(exists("later"));
  EXPECT_EQ(result(), "failed");
}

TEST_F(ProgramJobs, OfPagesHaveHooksToo) {
  write_job(3, hook("pre_start", "a", "echo a >> ../order") +
                   hook("post_stop", "b", "echo b $HEDDLE_RESULT >> ../order"));
  const ProgramResult run = project_.heddle({"run", "pages"});
  EXPECT_EQ(run.exit_code, 0) << run.err << run.out;
  EXPECT_EQ(pages_done(), 3);
  std::ifstream in(project_.path() / "jobs" / "order");
  std::string first;
  std::string second;
  std::getline(in, first);
  std::getline(in, second);
  EXPECT_EQ(first, "a");
  EXPECT_EQ(second, "b completed");
}

TEST_F(ProgramJobs, WaitForATriggerAndAreStartingWhileTheyArePrepared) {
  command("echo x >> ran", hook("pre_start", "slow", "while ! [ -e go ]; do sleep 0.02; done"));
  const RunningDaemon daemon(project_, 1);
  EXPECT_EQ(state(), "scheduled");
  expect({"trigger", "work"}, 0, "work: starting");
  ASSERT_TRUE(holds_soon([&] {
    return count("SELECT count(*) FROM hook_tries WHERE state = 'running'") == 1;
  })) << daemon.log();
  EXPECT_EQ(state(), "starting");
  EXPECT_FALSE(exists("ran"));
  std::ofstream(file("go")) << "x";
  ASSERT_TRUE(holds_soon([&] { return ended_runs() == 1; })) << daemon.log();
  EXPECT_EQ(result(), "completed");
  EXPECT_THAT(lines("ran"), SizeIs(1));
}

TEST_F(ProgramJobs, CanBeCancelledWhileTheyArePrepared) {
  command("echo x >> ran",
          hook("pre_start", "slow", "sleep 600", "timeout = \"1h\"\n") +
              hook("post_stop", "never", "echo x > never") +
              hook("post_stop", "always", "echo $HEDDLE_RESULT > always", "always = true\n"));
  const RunningDaemon daemon(project_, 1);
  expect({"trigger", "work"}, 0, "work: starting");
  ASSERT_TRUE(holds_soon(
      [&] { return count("SELECT count(*) FROM hook_tries WHERE state = 'running'") == 1; }));
  expect({"cancel", "work"}, 0, "work: scheduled");
  ASSERT_TRUE(holds_soon([&] { return ended_runs() == 1; })) << daemon.log();
  EXPECT_EQ(result(), "cancelled");
  EXPECT_FALSE(exists("ran"));
  EXPECT_FALSE(exists("never"));
  EXPECT_THAT(lines("always"), ElementsAre("cancelled"));
}

TEST_F(ProgramJobs, AreStoppedWithTheirHooks) {
  command("echo $$ > pid; trap 'echo asked >> order; exit 0' TERM; while true; do sleep 0.05; done",
          hook("pre_stop", "before", "echo before >> order") +
              hook("post_stop", "after", "echo after >> order"));
  const RunningDaemon daemon(project_, 1);
  expect({"trigger", "work"}, 0, "work: ");
  ASSERT_TRUE(holds_soon([&] { return exists("pid"); })) << daemon.log();
  std::this_thread::sleep_for(200ms);  // for the shell to set its trap
  expect({"stop", "work"}, 0, "work: stopping");
  ASSERT_TRUE(comes_to("stopped")) << daemon.log();
  EXPECT_THAT(lines("order"), ElementsAre("before", "asked", "after"));
}

TEST_F(ProgramJobs, ThatDoNotHearAreStoppedByForceAndStillWoundUp) {
  command("trap '' TERM; echo $$ > pid; while true; do sleep 0.05; done",
          "stop_timeout = \"1h\"\n" + hook("post_stop", "after", "echo $HEDDLE_RESULT >> order"));
  const RunningDaemon daemon(project_, 1);
  expect({"trigger", "work"}, 0, "work: ");
  const pid_t pid = read_pid(file("pid"));
  expect({"stop", "work", "--now"}, 0, "work: stopping");
  ASSERT_TRUE(comes_to("stopped")) << daemon.log();
  EXPECT_FALSE(is_alive(pid));
  EXPECT_THAT(lines("order"), ElementsAre("stopped"));
  expect({"show", "work"}, 0, "programs: stopped");
}

TEST_F(ProgramJobs, AreStoppedByForceWhileACancelledRunStillEnds) {
  command("trap '' TERM; echo $$ > pid; while true; do sleep 0.05; done",
          "stop_timeout = \"1h\"\n" + hook("post_stop", "after", "echo $HEDDLE_RESULT >> order"));
  const RunningDaemon daemon(project_, 1);
  expect({"trigger", "work"}, 0, "work: ");
  const pid_t pid = read_pid(file("pid"));
  expect({"cancel", "work"}, 0, "work: scheduled");
  expect({"stop", "work", "--now"}, 0, "work: stopping");
  ASSERT_TRUE(comes_to("stopped")) << daemon.log();
  EXPECT_FALSE(is_alive(pid));
  EXPECT_THAT(lines("order"), ElementsAre("cancelled"));
  EXPECT_EQ(unfinished_runs(), 0);
}

TEST_F(ProgramJobs, CanBeStoppedAtOnceAfterTheyWereStopped) {
  command("trap '' TERM; echo $$ > pid; while true; do sleep 0.05; done",
          "stop_timeout = \"1h\"\n" + hook("post_stop", "after", "echo $HEDDLE_RESULT >> order"));
  const RunningDaemon daemon(project_, 1);
  expect({"trigger", "work"}, 0, "work: ");
  const pid_t pid = read_pid(file("pid"));
  expect({"stop", "work"}, 0, "work: stopping");
  expect({"stop", "work", "--now"}, 0, "work: stopping");
  ASSERT_TRUE(comes_to("stopped")) << daemon.log();
  EXPECT_FALSE(is_alive(pid));
  EXPECT_THAT(lines("order"), ElementsAre("stopped"));
}

TEST_F(ProgramJobs, AreStoppedInTimeWhateverTheHooksOfTheirEndDo) {
  command("true",
          "stop_timeout = \"1s\"\n" +
              hook("post_stop", "slow", "echo $$ > pid; exec sleep 600", "timeout = \"1h\"\n") +
              hook("post_stop", "again", "exit 1",
                   "failure = \"retry\"\nretry_delay = \"1h\"\nmode = \"async\"\n"));
  const RunningDaemon daemon(project_, 1);
  expect({"trigger", "work"}, 0, "work: ");
  const pid_t pid = read_pid(file("pid"));
  expect({"stop", "work", "--now"}, 0, "work: stopping");
  ASSERT_TRUE(comes_to("stopped")) << daemon.log();
  EXPECT_FALSE(is_alive(pid));
  EXPECT_EQ(count("SELECT count(*) FROM hook_tries WHERE state = 'timed_out'"), 1);
}

TEST_F(ProgramJobs, EndTheirHooksBesideThemWhenTheyAreCancelled) {
  command("exec sleep 600", hook("post_start", "beside", "echo $$ > pid; exec sleep 600",
                                 "mode = \"async\"\ntimeout = \"1h\"\n"));
  const RunningDaemon daemon(project_, 1);
  expect({"trigger", "work"}, 0, "work: ");
  const pid_t pid = read_pid(file("pid"));
  expect({"cancel", "work"}, 0, "work: scheduled");
  ASSERT_TRUE(holds_soon([&] { return ended_runs() == 1; })) << daemon.log();
  EXPECT_EQ(result(), "cancelled");
  EXPECT_FALSE(is_alive(pid));
}

TEST_F(ProgramJobs, SayThatACancelledRunHasNotEndedYet) {
  command("trap '' TERM; echo $$ > pid; while true; do sleep 0.05; done",
          "stop_timeout = \"1h\"\n");
  const RunningDaemon daemon(project_, 1);
  expect({"trigger", "work"}, 0, "work: ");
  read_pid(file("pid"));
  expect({"cancel", "work"}, 0, "work: scheduled");
  expect({"trigger", "work"}, 1, "its last run has not ended yet");
}

TEST_F(ProgramJobs, AreEndedWhenAHookBesideThemFails) {
  command("echo $$ > pid; exec sleep 600",
          hook("post_start", "bad", "while ! [ -e go ]; do sleep 0.02; done; exit 1",
               "mode = \"async\"\n") +
              hook("post_stop", "after", "echo $HEDDLE_RESULT,$HEDDLE_REASON >> order"));
  const RunningDaemon daemon(project_, 1);
  expect({"trigger", "work"}, 0, "work: ");
  read_pid(file("pid"));
  std::ofstream(file("go")) << "x";
  ASSERT_TRUE(holds_soon([&] { return ended_runs() == 1; })) << daemon.log();
  EXPECT_EQ(result(), "failed");
  EXPECT_THAT(lines("order"), ElementsAre("failed,hook_failed"));
}

TEST_F(ProgramJobs, DoNotBeginWhenTheyArePausedWhileTheyArePrepared) {
  command("echo x >> ran",
          hook("pre_start", "slow", "echo x >> first; while ! [ -e go ]; do sleep 0.02; done") +
              hook("pre_start", "next", "echo x >> next"));
  const RunningDaemon daemon(project_, 1);
  expect({"trigger", "work"}, 0, "work: starting");
  ASSERT_TRUE(holds_soon([&] { return lines("first").size() == 1; })) << daemon.log();
  expect({"pause", "work"}, 0, "work: paused");  // though the hook goes on
  std::ofstream(file("go")) << "x";
  ASSERT_TRUE(holds_soon([&] {
    return count("SELECT count(*) FROM runs WHERE state = 'paused'") == 1;
  })) << daemon.log();
  EXPECT_FALSE(exists("next"));
  EXPECT_FALSE(exists("ran"));
  expect({"resume", "work"}, 0, "work: running");
  ASSERT_TRUE(holds_soon([&] { return ended_runs() == 1; })) << daemon.log();
  EXPECT_EQ(result(), "completed");
  EXPECT_THAT(lines("first"), SizeIs(1)) << "it had succeeded";
  EXPECT_THAT(lines("next"), SizeIs(1));
  EXPECT_THAT(lines("ran"), SizeIs(1));
}

// Whatever the daemon that died had been asked for.
TEST_F(ProgramJobs, AreWoundUpAfterADeathWhileACancelledRunStillEnded) {
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
  ASSERT_TRUE(comes_to("stopped")) << daemon.log();
  EXPECT_EQ(unfinished_runs(), 0);
  EXPECT_THAT(lines("order"), SizeIs(1));
}

// As older versions left them.
TEST_F(ProgramJobs, OfAStoppedJobAreWoundUpWhenNoLifeSpeaksOfThem) {
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
  ASSERT_TRUE(holds_soon([&] { return ended_runs() == 1; })) << daemon.log();
  EXPECT_THAT(lines("order"), SizeIs(1));
  EXPECT_EQ(state(), "stopped");
}

TEST_F(ProgramJobs, FinishWhatRunsWhenTheyArePaused) {
  command("echo $HEDDLE_INDEX >> ran; while ! [ -e go ]; do sleep 0.02; done",
          "completions = 3\n" + hook("pre_start", "once", "echo x >> once") +
              hook("post_stop", "end", "echo x >> end"));
  const RunningDaemon daemon(project_, 1);
  expect({"trigger", "work"}, 0, "work: ");
  ASSERT_TRUE(holds_soon([&] { return lines("ran").size() == 1; })) << daemon.log();
  expect({"pause", "work"}, 0, "work: paused");
  std::ofstream(file("go")) << "x";
  ASSERT_TRUE(
      holds_soon([&] { return count("SELECT count(*) FROM runs WHERE state = 'paused'") == 1; }));
  EXPECT_FALSE(exists("end"));
  const auto ran = lines("ran").size();
  expect({"resume", "work"}, 0, "work: running");
  ASSERT_TRUE(holds_soon([&] { return ended_runs() == 1; })) << daemon.log();
  EXPECT_EQ(result(), "completed");
  EXPECT_EQ(ran, 1u);
  EXPECT_THAT(lines("ran"), ElementsAre("0", "1", "2"));
  EXPECT_THAT(lines("once"), SizeIs(1));
  EXPECT_THAT(lines("end"), SizeIs(1));
}

TEST_F(ProgramJobs, ThatArePausedAreWoundUpWhenTheyAreCancelled) {
  command("echo x >> ran; while ! [ -e go ]; do sleep 0.02; done",
          "completions = 3\n" + hook("post_stop", "end", "echo $HEDDLE_RESULT >> end"));
  const RunningDaemon daemon(project_, 1);
  expect({"trigger", "work"}, 0, "work: ");
  ASSERT_TRUE(holds_soon([&] { return lines("ran").size() == 1; }));
  expect({"pause", "work"}, 0, "work: paused");
  std::ofstream(file("go")) << "x";
  ASSERT_TRUE(
      holds_soon([&] { return count("SELECT count(*) FROM runs WHERE state = 'paused'") == 1; }));
  expect({"cancel", "work"}, 0, "work: scheduled");
  ASSERT_TRUE(holds_soon([&] { return ended_runs() == 1; })) << daemon.log();
  EXPECT_EQ(result(), "cancelled");
  EXPECT_THAT(lines("end"), ElementsAre("cancelled"));
}

TEST_F(ProgramJobs, NeverOverlapWithThemselves) {
  command("mkdir alone || echo overlap >> trouble; sleep 1.5; rmdir alone; echo x >> ran",
          "schedule = \"* * * * * *\"\ntimezone = \"Europe/Berlin\"\n");
  const RunningDaemon daemon(project_, 1);
  ASSERT_TRUE(holds_soon([&] { return lines("ran").size() >= 3; })) << daemon.log();
  EXPECT_FALSE(exists("trouble"));
}

TEST_F(ProgramJobs, LeaveNothingAliveWhenTheDaemonIsKilled) {
  command("(setsid sh -c 'echo $$ > daemon; exec sleep 600' &); echo $$ > pid; sleep 600",
          hook("post_start", "beside", "echo $$ > hook; exec sleep 600",
               "mode = \"async\"\ntimeout = \"1h\"\n"));
  RunningDaemon daemon(project_, 1);
  expect({"trigger", "work"}, 0, "work: ");
  const std::vector<pid_t> pids{read_pid(file("daemon")), read_pid(file("pid")),
                                read_pid(file("hook"))};
  daemon.signal(SIGKILL);
  daemon.wait();
  EXPECT_TRUE(are_gone_within(pids, 1s));
}

TEST_F(ProgramJobs, GoOnAfterTheDaemonWasKilled) {
  command("echo x >> ran; [ $HEDDLE_ATTEMPT = 2 ] || exec sleep 600",
          "restart = \"on_failure\"\n[retry]\nbase = \"10ms\"\n" +
              hook("pre_start", "once", "echo x >> once") +
              hook("post_start", "beside", "echo x >> beside; exec sleep 600",
                   "mode = \"async\"\nfailure = \"ignore\"\ntimeout = \"1h\"\n") +
              hook("post_stop", "end", "echo $HEDDLE_RESULT >> end"));
  {
    RunningDaemon daemon(project_, 1);
    expect({"trigger", "work"}, 0, "work: ");
    ASSERT_TRUE(holds_soon([&] { return lines("ran").size() == 1 && lines("beside").size() == 1; }))
        << daemon.log();
    daemon.signal(SIGKILL);
    daemon.wait();
  }
  const RunningDaemon daemon(project_, 1);
  ASSERT_TRUE(holds_soon([&] { return ended_runs() == 1; })) << daemon.log();
  EXPECT_EQ(result(), "completed");
  EXPECT_EQ(count("SELECT count(*) FROM runs"), 1);
  EXPECT_THAT(lines("once"), SizeIs(1)) << "it had succeeded";
  EXPECT_THAT(lines("beside"), SizeIs(1)) << "an interrupted hook is not run again";
  EXPECT_EQ(count("SELECT count(*) FROM hook_tries WHERE state = 'interrupted'"), 1);
  EXPECT_EQ(count("SELECT count(*) FROM processes WHERE state = 'interrupted'"), 1);
  EXPECT_THAT(lines("ran"), SizeIs(2));
  EXPECT_THAT(lines("end"), ElementsAre("completed"));
}

TEST_F(ProgramJobs, AreWoundUpOnceWhenTheDaemonWasKilledInTheirEnd) {
  command("true", hook("post_stop", "first", "echo x >> first") +
                      hook("post_stop", "slow", "echo x >> slow; exec sleep 600",
                           "failure = \"ignore\"\ntimeout = \"1h\"\n") +
                      hook("post_stop", "last", "echo x >> last"));
  {
    RunningDaemon daemon(project_, 1);
    expect({"trigger", "work"}, 0, "work: ");
    ASSERT_TRUE(holds_soon([&] { return lines("slow").size() == 1; })) << daemon.log();
    daemon.signal(SIGKILL);
    daemon.wait();
  }
  const RunningDaemon daemon(project_, 1);
  ASSERT_TRUE(holds_soon([&] { return ended_runs() == 1; })) << daemon.log();
  EXPECT_EQ(result(), "completed");
  EXPECT_THAT(lines("first"), SizeIs(1));
  EXPECT_THAT(lines("slow"), SizeIs(1));
  EXPECT_THAT(lines("last"), SizeIs(1));
}

TEST_F(ProgramJobs, AreInterruptedByALeavingDaemonAndGoOn) {
  command("echo x >> ran; [ $HEDDLE_ATTEMPT = 2 ] || exec sleep 600",
          "restart = \"on_failure\"\n[retry]\nbase = \"10ms\"\n" +
              hook("post_stop", "end", "echo x >> end"));
  {
    RunningDaemon daemon(project_, 1);
    expect({"trigger", "work"}, 0, "work: ");
    ASSERT_TRUE(holds_soon([&] { return lines("ran").size() == 1; })) << daemon.log();
    daemon.signal(SIGTERM);
    EXPECT_EQ(daemon.wait().exit_code, 0);
  }
  EXPECT_FALSE(exists("end"));
  const RunningDaemon daemon(project_, 1);
  ASSERT_TRUE(holds_soon([&] { return ended_runs() == 1; })) << daemon.log();
  EXPECT_THAT(lines("ran"), SizeIs(2));
  EXPECT_THAT(lines("end"), SizeIs(1));
}

TEST_F(ProgramJobs, AreKeptRunningWhenTheyAreServices) {
  command("echo $$ >> pids; exec sleep 600", "[retry]\nbase = \"10ms\"\n", "service");
  RunningDaemon daemon(project_, 1);
  ASSERT_TRUE(holds_soon([&] { return lines("pids").size() == 1; })) << daemon.log();
  kill(std::stoi(lines("pids").at(0)), SIGKILL);
  ASSERT_TRUE(holds_soon([&] { return lines("pids").size() == 2; })) << daemon.log();
  EXPECT_EQ(state(), "running");
  const pid_t second = std::stoi(lines("pids").at(1));
  daemon.signal(SIGTERM);
  daemon.wait();
  EXPECT_FALSE(is_alive(second));
  const RunningDaemon next(project_, 1);
  ASSERT_TRUE(holds_soon([&] { return lines("pids").size() == 3; })) << next.log();
  EXPECT_EQ(count("SELECT count(*) FROM runs"), 1);
  expect({"stop", "work"}, 0, "work: stopping");
  ASSERT_TRUE(comes_to("stopped")) << next.log();
}

}  // namespace
}  // namespace heddle::testing
