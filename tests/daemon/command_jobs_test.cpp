// Command jobs, services and hooks with a real daemon that is also killed.
#include <csignal>
#include <fstream>

#include "tests/daemon/command_fixture.hpp"

namespace heddle::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

TEST_F(CommandJobs, RunInTheForegroundAndShowTheirOutput) {
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

TEST_F(CommandJobs, FailWithTheirProgram) {
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

TEST_F(CommandJobs, RecordTheCpuTimeAndMemoryOfTheirProcesses) {
  command("i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done");
  const auto run = project_.heddle_json({"run", "work"});
  EXPECT_GT(run.at("cpu_ms").to_number<double>(), 0);
  EXPECT_GT(run.at("peak_memory_bytes").to_number<double>(), 100'000);
  EXPECT_GT(count("SELECT cpu_us FROM runs"), 0);
}

TEST_F(CommandJobs, TriggerTheirDependentsOnceAfterTheLastFailedAttempt) {
  command("exit 1", "[retry]\nruns = 2\nbase = \"50ms\"\n");
  project_.write_job("rescue",
                     "kind = \"command\"\ncommand = \"true\"\n"
                     "after = {job = \"work\", on = \"failed\"}\n");
  const RunningDaemon daemon(project_, 1);
  expect({"trigger", "work"}, 0, "work: ");
  ASSERT_TRUE(eventually([&] {
    return count("SELECT count(*) FROM runs WHERE state = 'completed'") > 0;
  })) << daemon.log();
  EXPECT_EQ(count("SELECT count(*) FROM runs WHERE state = 'failed'"), 3);
  EXPECT_EQ(count("SELECT count(*) FROM runs WHERE state = 'completed'"), 1);
}

TEST_F(CommandJobs, NeverStartWhenAPreStartHookFails) {
  command("echo x > ran", hook("pre_start", "bad", "echo no way; exit 1") +
                              hook("pre_start", "later", "echo x > later"));
  const ProgramResult run = project_.heddle({"run", "work"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.out, HasSubstr("pre_start hook 'bad': exit code 1: no way"));
  EXPECT_FALSE(exists("ran"));
  EXPECT_FALSE(exists("later"));
  EXPECT_EQ(result(), "failed");
}

TEST_F(CommandJobs, ShareTheirHooksWithPageJobs) {
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

TEST_F(CommandJobs, AreStartingDuringTheirPreStartHooks) {
  command("echo x >> ran", hook("pre_start", "slow", "while ! [ -e go ]; do sleep 0.02; done"));
  const RunningDaemon daemon(project_, 1);
  EXPECT_EQ(state(), "scheduled");
  expect({"trigger", "work"}, 0, "work: starting");
  ASSERT_TRUE(eventually([&] {
    return count("SELECT count(*) FROM hook_tries WHERE state = 'running'") == 1;
  })) << daemon.log();
  EXPECT_EQ(state(), "starting");
  EXPECT_FALSE(exists("ran"));
  std::ofstream(file("go")) << "x";
  ASSERT_TRUE(eventually([&] { return ended_runs() == 1; })) << daemon.log();
  EXPECT_EQ(result(), "completed");
  EXPECT_THAT(lines("ran"), SizeIs(1));
}

TEST_F(CommandJobs, NeverOverlapWithThemselves) {
  command("mkdir alone || echo overlap >> trouble; sleep 1.5; rmdir alone; echo x >> ran",
          "schedule = \"* * * * * *\"\ntimezone = \"Europe/Berlin\"\n");
  const RunningDaemon daemon(project_, 1);
  ASSERT_TRUE(eventually([&] { return lines("ran").size() >= 3; })) << daemon.log();
  EXPECT_FALSE(exists("trouble"));
}

TEST_F(CommandJobs, LeaveNothingAliveWhenTheDaemonIsKilled) {
  command("(setsid sh -c 'echo $$ > daemon; exec sleep 600' &); echo $$ > pid; sleep 600",
          hook("post_start", "beside", "echo $$ > hook; exec sleep 600",
               "mode = \"async\"\ntimeout = \"1h\"\n"));
  RunningDaemon daemon(project_, 1);
  expect({"trigger", "work"}, 0, "work: ");
  const std::vector<pid_t> pids{read_pid(file("daemon")), read_pid(file("pid")),
                                read_pid(file("hook"))};
  daemon.signal(SIGKILL);
  daemon.wait();
  EXPECT_TRUE(exit_within(pids, 1s));
}

// The program clears its environment and leaves its session, so that nothing but its parent tells
// where it came from, and its parent is gone.
TEST_F(CommandJobs, LeaveNothingAliveWhenTheyKillTheirShepherd) {
  command(
      "(env -i setsid sh -c 'echo $$ > stray.new; mv stray.new stray; exec sleep 7023' &)\n"
      "while ! [ -e stray ]; do sleep 0.01; done; kill -9 $PPID; sleep 7024");
  project_.write_job("server", "kind = \"service\"\ncommand = \"echo $$ > pid; exec sleep 600\"\n");
  const RunningDaemon daemon(project_, 1);
  const pid_t server = read_pid(project_.path() / "jobs" / "server" / "pid");
  const std::vector<pid_t> workers = daemon.workers();
  for (int round = 1; round <= 3; ++round) {
    expect({"trigger", "work"}, 0, "work: ");
    ASSERT_TRUE(eventually([&] { return ended_runs() == round; })) << daemon.log();
    EXPECT_EQ(result(), "failed");
    EXPECT_FALSE(is_alive(read_pid(file("stray"))));
    std::filesystem::remove(file("stray"));
  }
  EXPECT_TRUE(is_alive(server));
  EXPECT_EQ(daemon.workers(), workers) << "none was replaced";
}

// As after a restore: the store holds a service that no daemon runs.
TEST_F(CommandJobs, AreOkWhenTheirServiceIsReadyAndEndWithoutADaemon) {
  command("exec sleep 600", "", "service");
  {
    RunningDaemon daemon(project_, 1);
    ASSERT_TRUE(eventually([&] {
      return project_.heddle_json({"show", "work"}).at("check_state") == "ok";
    })) << daemon.log();
    daemon.signal(SIGKILL);
    daemon.wait();
  }
  EXPECT_THAT(project_.heddle({"jobs"}).out,
              ::testing::AllOf(HasSubstr("unfinished"), HasSubstr("no daemon is running")));
  expect({"stop", "--all"}, 0, "work: stopped");
  const auto shown = project_.heddle_json({"show", "work"});
  EXPECT_EQ(shown.at("state"), "stopped");
  EXPECT_TRUE(shown.at("current_run").is_null());
  EXPECT_EQ(shown.at("last_run").at("state"), "stopped");
  EXPECT_EQ(shown.at("programs").at("processes").at(0).at("state"), "interrupted");
  EXPECT_EQ(project_.heddle_json({"runs", "work"}).at(0).at("state"), "stopped");
  EXPECT_THAT(project_.heddle({"jobs"}).out, HasSubstr("stopped, "));
}

TEST_F(CommandJobs, AreFailingAfterTheirFirstRunFailed) {
  command("exit 3");
  EXPECT_EQ(project_.heddle({"run", "work"}).exit_code, 1);
  EXPECT_EQ(project_.heddle_json({"show", "work"}).at("check_state"), "failing");
}

TEST_F(CommandJobs, ResumeAfterTheDaemonWasKilled) {
  command("echo x >> ran; [ $HEDDLE_ATTEMPT = 2 ] || exec sleep 600",
          "restart = \"on_failure\"\n[retry]\nbase = \"10ms\"\n" +
              hook("pre_start", "once", "echo x >> once") +
              hook("post_start", "beside", "echo x >> beside; exec sleep 600",
                   "mode = \"async\"\nfailure = \"ignore\"\ntimeout = \"1h\"\n") +
              hook("post_stop", "end", "echo $HEDDLE_RESULT >> end"));
  {
    RunningDaemon daemon(project_, 1);
    expect({"trigger", "work"}, 0, "work: ");
    ASSERT_TRUE(eventually([&] { return lines("ran").size() == 1 && lines("beside").size() == 1; }))
        << daemon.log();
    daemon.signal(SIGKILL);
    daemon.wait();
  }
  const RunningDaemon daemon(project_, 1);
  ASSERT_TRUE(eventually([&] { return ended_runs() == 1; })) << daemon.log();
  EXPECT_EQ(result(), "completed");
  EXPECT_EQ(count("SELECT count(*) FROM runs"), 1);
  EXPECT_THAT(lines("once"), SizeIs(1)) << "it had succeeded";
  EXPECT_THAT(lines("beside"), SizeIs(1)) << "an interrupted hook is not run again";
  EXPECT_EQ(count("SELECT count(*) FROM hook_tries WHERE state = 'interrupted'"), 1);
  EXPECT_EQ(count("SELECT count(*) FROM processes WHERE state = 'interrupted'"), 1);
  EXPECT_THAT(lines("ran"), SizeIs(2));
  EXPECT_THAT(lines("end"), ElementsAre("completed"));
}

TEST_F(CommandJobs, RunTheirPostStopHooksOnceWhenTheDaemonWasKilledDuringThem) {
  command("true", hook("post_stop", "first", "echo x >> first") +
                      hook("post_stop", "slow", "echo x >> slow; exec sleep 600",
                           "failure = \"ignore\"\ntimeout = \"1h\"\n") +
                      hook("post_stop", "last", "echo x >> last"));
  {
    RunningDaemon daemon(project_, 1);
    expect({"trigger", "work"}, 0, "work: ");
    ASSERT_TRUE(eventually([&] { return lines("slow").size() == 1; })) << daemon.log();
    daemon.signal(SIGKILL);
    daemon.wait();
  }
  const RunningDaemon daemon(project_, 1);
  ASSERT_TRUE(eventually([&] { return ended_runs() == 1; })) << daemon.log();
  EXPECT_EQ(result(), "completed");
  EXPECT_THAT(lines("first"), SizeIs(1));
  EXPECT_THAT(lines("slow"), SizeIs(1));
  EXPECT_THAT(lines("last"), SizeIs(1));
}

TEST_F(CommandJobs, AreInterruptedByAShutdownAndResume) {
  command("echo x >> ran; [ $HEDDLE_ATTEMPT = 2 ] || exec sleep 600",
          "restart = \"on_failure\"\n[retry]\nbase = \"10ms\"\n" +
              hook("post_stop", "end", "echo x >> end"));
  {
    RunningDaemon daemon(project_, 1);
    expect({"trigger", "work"}, 0, "work: ");
    ASSERT_TRUE(eventually([&] { return lines("ran").size() == 1; })) << daemon.log();
    daemon.signal(SIGTERM);
    EXPECT_EQ(daemon.wait().exit_code, 0);
  }
  EXPECT_FALSE(exists("end"));
  const RunningDaemon daemon(project_, 1);
  ASSERT_TRUE(eventually([&] { return ended_runs() == 1; })) << daemon.log();
  EXPECT_THAT(lines("ran"), SizeIs(2));
  EXPECT_THAT(lines("end"), SizeIs(1));
}

TEST_F(CommandJobs, RestartServicesThatWereInterruptedDuringTheirStart) {
  command("echo $$ >> pids; exec sleep 600",
          hook("pre_start", "slow", "echo x >> began; [ -e go ] || exec sleep 600"), "service");
  {
    RunningDaemon daemon(project_, 1);
    ASSERT_TRUE(eventually([&] { return lines("began").size() == 1; })) << daemon.log();
    daemon.signal(SIGKILL);
    daemon.wait();
  }
  std::ofstream(file("go")) << "x";
  const RunningDaemon daemon(project_, 1);
  ASSERT_TRUE(eventually([&] { return lines("pids").size() == 1; })) << daemon.log();
  EXPECT_THAT(lines("began"), SizeIs(2)) << "the interrupted one, and that of a new run";
  EXPECT_EQ(count("SELECT count(*) FROM runs WHERE state = 'failed'"), 1);
  ASSERT_TRUE(reaches_state("running")) << daemon.log();
}

TEST_F(CommandJobs, SayWhyARunHasEndedThatALaterRunReplaced) {
  command("echo x >> ran; [ -e go ] || exec sleep 600");
  {
    RunningDaemon daemon(project_, 1);
    expect({"trigger", "work"}, 0, "work: ");
    ASSERT_TRUE(eventually([&] { return lines("ran").size() == 1; })) << daemon.log();
    daemon.signal(SIGKILL);
    daemon.wait();
  }
  std::ofstream(file("go")) << "x";
  EXPECT_EQ(project_.heddle({"run", "work"}).exit_code, 0);
  const auto replaced = project_.heddle_json({"runs", "work"}).at(1);
  EXPECT_NE(replaced.at("state"), "completed");
  const std::string reason = "and a later run replaced it";
  const std::string id(replaced.at("run_id").as_string());
  EXPECT_THAT(project_.heddle({"run-trace", id}).out, HasSubstr(reason));
  EXPECT_THAT(project_.heddle({"logs", "work"}).out, HasSubstr(reason));
}

TEST_F(CommandJobs, AreNamedWhenAShutdownHasToKillThem) {
  project_.write("heddle.toml", "[daemon]\nshutdown_timeout = \"300ms\"\n");
  command("trap '' TERM; echo $$ > pid; while true; do sleep 0.1; done");
  RunningDaemon daemon(project_, 1);
  expect({"trigger", "work"}, 0, "work: ");
  ASSERT_TRUE(eventually([&] { return lines("pid").size() == 1; })) << daemon.log();
  daemon.signal(SIGTERM);
  EXPECT_EQ(daemon.wait().exit_code, 0);
  EXPECT_FALSE(is_alive(std::stoi(lines("pid").at(0))));
  EXPECT_THAT(daemon.log(),
              AllOf(HasSubstr("work: programs of run "), HasSubstr(" and were killed")));
}

TEST_F(CommandJobs, AreUnfinishedWithoutTheirDaemon) {
  command("echo $$ >> pids; exec sleep 600", "", "service");
  {
    RunningDaemon daemon(project_, 1);
    ASSERT_TRUE(eventually([&] {
      return count("SELECT count(*) FROM processes WHERE state = 'running' AND pid > 0") == 1;
    })) << daemon.log();
    expect({"show", "work"}, 0, "programs: running (active: 1");
    daemon.signal(SIGKILL);
    daemon.wait();
  }
  const auto left = expect({"show", "work"}, 0, "; no daemon is running: `heddle up` continues it");
  EXPECT_THAT(left.out, HasSubstr("programs: unfinished (active: 0, succeeded: 0, failed: 1)"));
  EXPECT_THAT(left.out, ContainsRegex("0 +1 +interrupted +[0-9]+ +- "));
  EXPECT_THAT(left.out, Not(HasSubstr("running    for")));
  EXPECT_EQ(project_.heddle_json({"show", "work"}).at("programs").at("active").as_int64(), 0);

  const RunningDaemon daemon(project_, 1);
  ASSERT_TRUE(eventually([&] { return lines("pids").size() == 2; })) << daemon.log();
  ASSERT_TRUE(eventually(
      [&] { return count("SELECT count(*) FROM processes WHERE state = 'interrupted'") == 1; }));
  EXPECT_THAT(project_.heddle({"show", "work"}).out, ContainsRegex("0 +1 +interrupted +[0-9]+ +- "))
      << "the time after its daemon does not count";
  const auto shown = project_.heddle_json({"show", "work"});
  EXPECT_TRUE(shown.at("programs").at("processes").at(0).at("ended_at").is_null());
}

TEST_F(CommandJobs, AreRestartedWhenTheyAreServices) {
  command("echo $$ >> pids; exec sleep 600", "[retry]\nbase = \"10ms\"\n", "service");
  RunningDaemon daemon(project_, 1);
  ASSERT_TRUE(eventually([&] { return lines("pids").size() == 1; })) << daemon.log();
  kill(std::stoi(lines("pids").at(0)), SIGKILL);
  ASSERT_TRUE(eventually([&] { return lines("pids").size() == 2; })) << daemon.log();
  EXPECT_EQ(state(), "running");
  const pid_t second = std::stoi(lines("pids").at(1));
  daemon.signal(SIGTERM);
  daemon.wait();
  EXPECT_FALSE(is_alive(second));
  const RunningDaemon next(project_, 1);
  ASSERT_TRUE(eventually([&] { return lines("pids").size() == 3; })) << next.log();
  EXPECT_EQ(count("SELECT count(*) FROM runs"), 1);
  expect({"stop", "work"}, 0, "work: stopping");
  ASSERT_TRUE(reaches_state("stopped")) << next.log();
}

}  // namespace
}  // namespace heddle::testing
