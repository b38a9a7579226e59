// Jobs with errors in their file: how they are reported and what still works.
#include <algorithm>
#include <csignal>
#include <fstream>

#include "tests/daemon/daemon_fixture.hpp"

namespace heddle::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;

// Any thread of a process may have started them.
std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> children;
  const std::filesystem::path threads = "/proc/" + std::to_string(parent) + "/task";
  for (const auto& thread : std::filesystem::directory_iterator(threads)) {
    std::ifstream list(thread.path() / "children");
    for (pid_t child = 0; list >> child;) children.push_back(child);
  }
  return children;
}

class InvalidJobs : public DaemonFixture {
 protected:
  void break_job() { project_.write("jobs/pages/config.toml", kBroken); }
  std::string state() {
    const auto row = project_.heddle_json({"show", "pages"});
    return std::string(row.at("state").as_string());
  }

  // Only its name is valid.
  static constexpr std::string_view kBroken = "name = \"pages\"\n";
  static constexpr const char* kMistake = "jobs/pages/config.toml:1: url: is missing";
};

TEST_F(InvalidJobs, ReportWhereTheirErrorsAre) {
  break_job();
  const RunningDaemon daemon(project_, 1);
  for (const char* action : {"pause", "trigger", "stop", "cancel"}) {
    const auto refused = expect({action, "pages"}, 1, "has errors and was never loaded");
    EXPECT_THAT(refused.err, HasSubstr(kMistake)) << action;
    EXPECT_THAT(refused.err, Not(HasSubstr("there is no job"))) << action;
  }
  expect({"delete", "pages", "--yes"}, 1, kMistake);
  expect({"show", "pages"}, 0, kMistake);
}

TEST_F(InvalidJobs, AreReportedWhenTheirNameCannotBeRead) {
  project_.write("jobs/pages/config.toml", "name = \n");
  expect({"pause", "pages"}, 1, "has errors and was never loaded: jobs/pages/config.toml:1");
  expect({"show", "pages"}, 1, "jobs/pages/config.toml:1");
}

TEST_F(InvalidJobs, KeepTheirPreviousVersionAndReportIt) {
  write_job(1, "schedule = \"manual\"\n");
  const RunningDaemon daemon(project_, 1);
  break_job();
  ASSERT_TRUE(daemon.logs("keeps its previous version"));
  const auto triggered = expect({"trigger", "pages"}, 0, "pages: starting");
  EXPECT_THAT(triggered.err, HasSubstr("its previous version is used"));
  EXPECT_THAT(triggered.err, HasSubstr(kMistake));
}

TEST_F(InvalidJobs, AreNamedOnceAndOnlySaidToKeepAVersionThatTheyHave) {
  write_job(1, "schedule = \"manual\"\n");
  const RunningDaemon daemon(project_, 1);
  project_.write("jobs/fresh/config.toml", "name = \"fresh\"\n");
  const std::string mistake = "jobs/fresh/config.toml:1: url: is missing";
  ASSERT_TRUE(daemon.logs(mistake));
  EXPECT_TRUE(daemon.logs("(the job was never loaded and does not run)"));
  EXPECT_THAT(daemon.log(), Not(HasSubstr("keeps its previous version")));
  EXPECT_THAT(expect({"reload"}, 1, "no job has changed").err, HasSubstr("was never loaded"));
  break_job();
  ASSERT_TRUE(daemon.logs("keeps its previous version"));
  const std::string log = daemon.log();
  EXPECT_EQ(log.find(mistake), log.rfind(mistake)) << log;
}

TEST_F(InvalidJobs, ThatWouldExpandToGigabytesLetTheDaemonRunAndStart) {
  write_job(1, "schedule = \"manual\"\n");
  std::string texts;
  for (int i = 0; i < 10'000; ++i) texts += "{{a}}";
  const std::string bomb =
      "name = \"bomb\"\nurl = \"http://h/\"\nselector = \"li\"\nfields = [\"t:\"]\nbody = \"" +
      texts + "\"\nmethod = \"POST\"\n[vars]\na = \"" + std::string(100'000, 'x') + "\"\n";
  {
    const RunningDaemon daemon(project_, 1);
    project_.write("jobs/bomb/config.toml", bomb);
    ASSERT_TRUE(daemon.logs("the text grows by more than 1 MB")) << daemon.log();
    expect({"run", "pages"}, 0, "completed");
  }
  const RunningDaemon next(project_, 1);
  expect({"run", "pages"}, 0, "completed");
  expect({"trigger", "bomb"}, 1, "the text grows by more than 1 MB");
}

TEST_F(InvalidJobs, CanBePausedStoppedAndDeletedWhenTheDaemonHasNotLoadedThem) {
  write_job(1, "interval = \"365d\"\n");
  expect({"run", "pages"}, 0, "");
  break_job();
  const RunningDaemon daemon(project_, 1);
  EXPECT_TRUE(daemon.logs("missing or has errors")) << daemon.log();
  const auto refused = expect({"trigger", "pages"}, 1, "cannot run until that is fixed");
  EXPECT_THAT(refused.err, HasSubstr(kMistake));
  EXPECT_THAT(refused.err, HasSubstr("allowed: pause, stop, archive, delete"));
  expect({"pause", "pages"}, 0, "pages: paused");
  expect({"show", "pages"}, 0, "paused (user)");
  // Once the file is valid the job stays paused, as requested.
  write_job(1, "interval = \"365d\"\n");
  expect({"reload"}, 0, "");  // the daemon may have reloaded it already
  EXPECT_EQ(state(), "paused");
  break_job();
  expect({"stop", "pages"}, 0, "pages: stopped");
  expect({"delete", "pages", "--yes"}, 0, "pages: deleted");
}

TEST_F(InvalidJobs, CannotRunWithoutADaemonEither) {
  write_job(1, "interval = \"365d\"\n");
  expect({"run", "pages"}, 0, "");
  break_job();
  expect({"trigger", "pages"}, 1, "cannot run until that is fixed");
  expect({"show", "pages"}, 0, "it does not run until they are fixed");
  EXPECT_THAT(expect({"pause", "pages"}, 0, "pages: paused").err,
              HasSubstr("pages: its file has errors: "));
  expect({"stop", "pages"}, 0, "pages: stopped");
}

TEST_F(InvalidJobs, StayDeletedWhileTheirFileIsInvalid) {
  write_job(1, "schedule = \"manual\"\n");
  const RunningDaemon daemon(project_, 1);
  project_.write("jobs/pages/config.toml", "name = \n");
  ASSERT_TRUE(daemon.logs("keeps its previous version"));
  expect({"stop", "pages"}, 0, "pages: stopped");
  expect({"delete", "pages", "--yes"}, 0, "pages: deleted");
  expect({"reload"}, 1, "jobs/pages/config.toml:1");
  EXPECT_EQ(count("SELECT count(*) FROM job_lives"), 0);
}

// The same for a script: pages already done are kept.
TEST_F(InvalidJobs, AreHeldNotFailedWhenTheirScriptBreaksDuringARun) {
  pause_ = 20ms;
  // Only the test reloads: a reload by the watch would resume the held job once more.
  project_.write("heddle.toml", "reload = \"manual\"\n[network]\nallow = [\"127.0.0.1\"]\n" +
                                    std::string(kQuickRecovery));
  write_job(60, "schedule = \"manual\"\n");
  project_.write("jobs/pages/hooks.lua", "function on_success() end\n");
  const RunningDaemon daemon(project_, 1);
  expect({"trigger", "pages"}, 0, "pages: starting");
  ASSERT_TRUE(eventually([&] { return pages_done() >= 3; })) << daemon.log();
  project_.write("jobs/pages/hooks.lua", "no lua at all(\n");
  expect({"reload"}, 0, "");
  expect({"workers", "restart", "1"}, 0, "");
  // The reload came during the run, so the job is tried once more before it stays paused.
  ASSERT_TRUE(eventually([&] {
    return count("SELECT count(*) FROM events WHERE kind = 'job.paused'") == 2;
  })) << daemon.log();
  expect({"jobs"}, 0, "paused (missing)");
  EXPECT_TRUE(daemon.logs("hooks.lua:1")) << daemon.log();
  EXPECT_EQ(count("SELECT count(*) FROM runs WHERE state = 'failed'"), 0);

  project_.write("jobs/pages/hooks.lua", "function on_success() end\n");
  expect({"reload"}, 0, "");
  ASSERT_TRUE(eventually([&] {
    return count("SELECT count(*) FROM runs WHERE state = 'completed'") == 1;
  })) << daemon.log();
  EXPECT_EQ(count("SELECT count(*) FROM runs"), 1) << "the same run goes on";
  EXPECT_EQ(count("SELECT count(*) FROM items"), 60);
}

// The script is fixed before the worker reports the error.
TEST_F(InvalidJobs, ResumeWhenTheirScriptIsFixedWhileAWorkerLoadsIt) {
  pause_ = 20ms;
  project_.write("heddle.toml",
                 "[network]\nallow = [\"127.0.0.1\"]\n[script]\ncpu_limit = \"1s\"\n");
  write_job(60, "schedule = \"manual\"\n");
  project_.write("jobs/pages/hooks.lua", "function on_success() end\n");
  const RunningDaemon daemon(project_, 1);
  expect({"trigger", "pages"}, 0, "pages: starting");
  ASSERT_TRUE(eventually([&] { return pages_done() >= 3; })) << daemon.log();
  const pid_t former = daemon.workers().at(0);
  project_.write("jobs/pages/hooks.lua", "while true do end\n");
  expect({"reload"}, 0, "");
  expect({"workers", "restart", "1"}, 0, "");
  ASSERT_TRUE(eventually([&] {
    return daemon.workers().at(0) != former && daemon.worker_state(1) == "ready";
  })) << daemon.log();
  project_.write("jobs/pages/hooks.lua", "function on_success() end\n");
  ASSERT_TRUE(eventually([&] {
    return count("SELECT count(*) FROM runs WHERE state = 'completed'") == 1;
  })) << daemon.log();
  EXPECT_EQ(count("SELECT count(*) FROM items"), 60);
}

// A worker that started after the error was introduced cannot load the job.
TEST_F(InvalidJobs, AreHeldNotFailedWhereNoPreviousVersionIsLoaded) {
  write_job(3, "schedule = \"manual\"\n");
  const RunningDaemon daemon(project_, 1);
  break_job();
  ASSERT_TRUE(daemon.logs("keeps its previous version"));
  // The spare is among them: it may have read the valid file, and the first restart uses it.
  const std::vector<pid_t> earlier = children_of(daemon.pid());
  ASSERT_FALSE(earlier.empty());
  ASSERT_TRUE(eventually([&] {
    const auto workers = daemon.workers();
    if (workers.size() != 1 || daemon.worker_state(1) != "ready") return false;
    if (std::ranges::count(earlier, workers[0]) == 0) return true;
    expect({"workers", "restart", "1"}, 0, "");
    return false;
  })) << daemon.log();
  expect({"trigger", "pages"}, 0, "pages: starting");
  ASSERT_TRUE(eventually([&] { return state() == "paused"; })) << daemon.log();
  expect({"jobs"}, 0, "paused (missing)");
  EXPECT_EQ(count("SELECT count(*) FROM runs WHERE state = 'failed'"), 0);
  expect({"reload"}, 1, kMistake);
  EXPECT_EQ(state(), "paused") << "it is still broken";

  write_job(3, "schedule = \"manual\"\n");
  ASSERT_TRUE(eventually([&] {
    return count("SELECT count(*) FROM runs WHERE state = 'completed'") == 1;
  })) << daemon.log();
  EXPECT_EQ(count("SELECT count(*) FROM runs"), 1) << "the same run goes on";
  EXPECT_EQ(count("SELECT count(*) FROM items"), 3);
}

}  // namespace
}  // namespace heddle::testing
