// Jobs whose file has mistakes: what is said about them, and what still works.
#include <csignal>

#include "tests/daemon/daemon_fixture.hpp"

namespace heddle::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;

class MistakenJobs : public DaemonFixture {
 protected:
  void break_job() { project_.write("jobs/pages/config.toml", kBroken); }
  std::string state() {
    const auto row = project_.heddle_json({"show", "pages"});
    return std::string(row.at("state").as_string());
  }

  // Its name can be read, and no more.
  static constexpr std::string_view kBroken = "name = \"pages\"\n";
  static constexpr const char* kMistake = "jobs/pages/config.toml:1: url: is missing";
};

TEST_F(MistakenJobs, SayWhereTheirMistakesAre) {
  break_job();
  const RunningDaemon daemon(project_, 1);
  for (const char* action : {"pause", "trigger", "stop", "cancel"}) {
    const auto refused = expect({action, "pages"}, 1, "has mistakes and was never taken up");
    EXPECT_THAT(refused.err, HasSubstr(kMistake)) << action;
    EXPECT_THAT(refused.err, Not(HasSubstr("there is no job"))) << action;
  }
  expect({"delete", "pages", "--yes"}, 1, kMistake);
  expect({"show", "pages"}, 0, kMistake);
}

TEST_F(MistakenJobs, SaySoWhenNotEvenTheirNameCanBeRead) {
  project_.write("jobs/pages/config.toml", "name = \n");
  expect({"pause", "pages"}, 1, "has mistakes and was never taken up: jobs/pages/config.toml:1");
  expect({"show", "pages"}, 1, "jobs/pages/config.toml:1");
}

TEST_F(MistakenJobs, GoOnWithTheirFormerVersionWhichIsSaid) {
  write_job(1, "schedule = \"manual\"\n");
  const RunningDaemon daemon(project_, 1);
  break_job();
  ASSERT_TRUE(holds_soon(
      [&] { return daemon.log().find("keeps its former version") != std::string::npos; }));
  const auto triggered = expect({"trigger", "pages"}, 0, "pages: starting");
  EXPECT_THAT(triggered.err, HasSubstr("what it said before counts"));
  EXPECT_THAT(triggered.err, HasSubstr(kMistake));
}

TEST_F(MistakenJobs, CanBePausedStoppedAndDeletedWhenTheDaemonDoesNotKnowThem) {
  write_job(1, "interval = \"365d\"\n");
  expect({"run", "pages"}, 0, "");
  break_job();
  const RunningDaemon daemon(project_, 1);
  EXPECT_THAT(daemon.log(), HasSubstr("missing or has mistakes"));
  const auto refused = expect({"trigger", "pages"}, 1, "cannot run until that is mended");
  EXPECT_THAT(refused.err, HasSubstr(kMistake));
  EXPECT_THAT(refused.err, HasSubstr("possible: pause, stop, archive, delete"));
  expect({"pause", "pages"}, 0, "pages: paused");
  expect({"show", "pages"}, 0, "paused (user)");
  // Once it is in order it stays paused: a person wanted that.
  write_job(1, "interval = \"365d\"\n");
  expect({"reload"}, 0, "");  // unless the daemon has seen it by itself
  EXPECT_EQ(state(), "paused");
  break_job();
  expect({"stop", "pages"}, 0, "pages: stopped");
  expect({"delete", "pages", "--yes"}, 0, "pages: deleted");
}

TEST_F(MistakenJobs, CannotRunWithoutADaemonEither) {
  write_job(1, "interval = \"365d\"\n");
  expect({"run", "pages"}, 0, "");
  break_job();
  expect({"trigger", "pages"}, 1, "cannot run until that is mended");
  expect({"pause", "pages"}, 0, "pages: paused");
  expect({"stop", "pages"}, 0, "pages: stopped");
}

TEST_F(MistakenJobs, StayDeletedWhileTheirFileIsBroken) {
  write_job(1, "schedule = \"manual\"\n");
  const RunningDaemon daemon(project_, 1);
  project_.write("jobs/pages/config.toml", "name = \n");
  ASSERT_TRUE(holds_soon(
      [&] { return daemon.log().find("keeps its former version") != std::string::npos; }));
  expect({"stop", "pages"}, 0, "pages: stopped");
  expect({"delete", "pages", "--yes"}, 0, "pages: deleted");
  expect({"reload"}, 1, "jobs/pages/config.toml:1");
  EXPECT_EQ(count("SELECT count(*) FROM job_lives"), 0);
}

// The same for a script: what is done of the run is not given up.
TEST_F(MistakenJobs, AreHeldNotFailedWhenTheirScriptBreaksDuringARun) {
  pause_ = 20ms;
  write_job(60, "schedule = \"manual\"\n");
  project_.write("jobs/pages/hooks.lua", "function on_success() end\n");
  const RunningDaemon daemon(project_, 1);
  expect({"trigger", "pages"}, 0, "pages: starting");
  ASSERT_TRUE(holds_soon([&] { return pages_done() >= 3; })) << daemon.log();
  project_.write("jobs/pages/hooks.lua", "no lua at all(\n");
  expect({"workers", "restart", "1"}, 0, "");
  ASSERT_TRUE(holds_soon([&] { return state() == "paused"; })) << daemon.log();
  expect({"jobs"}, 0, "paused (missing)");
  EXPECT_THAT(daemon.log(), HasSubstr("hooks.lua:1"));
  EXPECT_EQ(count("SELECT count(*) FROM runs WHERE state = 'failed'"), 0);

  project_.write("jobs/pages/hooks.lua", "function on_success() end\n");
  ASSERT_TRUE(holds_soon([&] {
    return count("SELECT count(*) FROM runs WHERE state = 'completed'") == 1;
  })) << daemon.log();
  EXPECT_EQ(count("SELECT count(*) FROM runs"), 1) << "the same run goes on";
  EXPECT_EQ(count("SELECT count(*) FROM items"), 60);
}

// The mistake is gone before the worker that met it has said so.
TEST_F(MistakenJobs, GoOnWhenTheirScriptIsMendedWhileAWorkerStillLoadsIt) {
  pause_ = 20ms;
  project_.write("heddle.toml",
                 "[network]\nallow = [\"127.0.0.1\"]\n[script]\ncpu_limit = \"1s\"\n");
  write_job(60, "schedule = \"manual\"\n");
  project_.write("jobs/pages/hooks.lua", "function on_success() end\n");
  const RunningDaemon daemon(project_, 1);
  expect({"trigger", "pages"}, 0, "pages: starting");
  ASSERT_TRUE(holds_soon([&] { return pages_done() >= 3; })) << daemon.log();
  const pid_t former = daemon.workers().at(0);
  project_.write("jobs/pages/hooks.lua", "while true do end\n");
  expect({"reload"}, 0, "");
  expect({"workers", "restart", "1"}, 0, "");
  ASSERT_TRUE(holds_soon([&] {
    return daemon.workers().at(0) != former && daemon.worker_state(1) == "ready";
  })) << daemon.log();
  project_.write("jobs/pages/hooks.lua", "function on_success() end\n");
  ASSERT_TRUE(holds_soon([&] {
    return count("SELECT count(*) FROM runs WHERE state = 'completed'") == 1;
  })) << daemon.log();
  EXPECT_EQ(count("SELECT count(*) FROM items"), 60);
}

// A worker that was started after the mistake was made cannot read the job.
TEST_F(MistakenJobs, AreHeldNotFailedWhereTheirFormerVersionIsNotKnown) {
  write_job(3, "schedule = \"manual\"\n");
  const RunningDaemon daemon(project_, 1);
  break_job();
  ASSERT_TRUE(holds_soon(
      [&] { return daemon.log().find("keeps its former version") != std::string::npos; }));
  const auto before = daemon.workers();
  ASSERT_EQ(before.size(), 1u);
  expect({"workers", "restart", "1"}, 0, "");
  ASSERT_TRUE(holds_soon([&] {
    const auto now = daemon.workers();
    return now.size() == 1 && now != before && daemon.worker_state(1) == "ready";
  })) << daemon.log();
  expect({"trigger", "pages"}, 0, "pages: starting");
  ASSERT_TRUE(holds_soon([&] { return state() == "paused"; })) << daemon.log();
  expect({"jobs"}, 0, "paused (missing)");
  EXPECT_EQ(count("SELECT count(*) FROM runs WHERE state = 'failed'"), 0);
  expect({"reload"}, 1, kMistake);
  EXPECT_EQ(state(), "paused") << "it is still broken";

  write_job(3, "schedule = \"manual\"\n");
  ASSERT_TRUE(holds_soon([&] {
    return count("SELECT count(*) FROM runs WHERE state = 'completed'") == 1;
  })) << daemon.log();
  EXPECT_EQ(count("SELECT count(*) FROM runs"), 1) << "the same run goes on";
  EXPECT_EQ(count("SELECT count(*) FROM items"), 3);
}

}  // namespace
}  // namespace heddle::testing
