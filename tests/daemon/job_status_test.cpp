// Job status in the CLI: schedules, pauses, stops and changed files, with a real daemon and without
// one.
#include <csignal>

#include "tests/daemon/daemon_fixture.hpp"

namespace heddle::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

class JobStatusTest : public DaemonFixture {
 protected:
  std::string state(const std::string& job = "pages") {
    const auto row = project_.heddle_json({"show", job});
    return std::string(row.at("state").as_string());
  }
  bool reaches_state(const std::string& wanted, const std::string& job = "pages") {
    return eventually([&] { return state(job) == wanted; });
  }
  std::int64_t runs() { return count("SELECT count(*) FROM runs WHERE ended_at IS NOT NULL"); }
};

TEST_F(JobStatusTest, StartsRunsWhenTheyAreDue) {
  write_job(2, "interval = \"1s\"\n");
  const RunningDaemon daemon(project_, 1);
  ASSERT_TRUE(eventually([&] { return runs() >= 3; })) << daemon.log();
  EXPECT_EQ(count("SELECT count(*) FROM items"), 2);
}

// Every page is stored exactly once.
TEST_F(JobStatusTest, ResumesAPausedRunAfterTheDaemonWasKilled) {
  constexpr int kManyPages = 1000;
  pause_ = 0ms;
  write_job(kManyPages, "interval = \"365d\"\n");
  {
    RunningDaemon daemon(project_, 2);
    ASSERT_TRUE(eventually([&] { return pages_done() >= 100; })) << daemon.log();
    expect({"pause", "pages"}, 0, "pages: paused");
    ASSERT_TRUE(eventually([&] {
      return count("SELECT count(*) FROM runs WHERE state = 'paused'") == 1;
    })) << "pages in flight finish";
    EXPECT_EQ(count("SELECT count(*) FROM tasks WHERE state = 1"), 0);
    daemon.signal(SIGKILL);
    daemon.wait();
  }
  const auto done = pages_done();
  ASSERT_LT(done, kManyPages) << "too late to pause";
  const RunningDaemon daemon(project_, 2);
  EXPECT_EQ(state(), "paused");
  EXPECT_EQ(pages_done(), done);
  expect({"resume", "pages"}, 0, "pages: running");
  ASSERT_TRUE(reaches_state("scheduled")) << daemon.log();
  EXPECT_EQ(count("SELECT count(*) FROM runs"), 1);
  EXPECT_EQ(pages_done(), kManyPages);
  EXPECT_EQ(count("SELECT count(*) FROM items"), kManyPages);
  EXPECT_EQ(site_.count("/page"), static_cast<std::size_t>(kManyPages)) << "none was fetched twice";
}

TEST_F(JobStatusTest, KeepsAQueuedRunWhenTheDaemonIsKilled) {
  project_.write("heddle.toml",
                 "[network]\nallow = [\"127.0.0.1\"]\n[limits]\nruns_in_parallel = 1\n"
                 "[defaults]\nschedule = \"manual\"\n");
  pause_ = 5ms;
  write_job(2000);
  project_.write_job(
      "other", "url = \"" + site_.url("/page") + "\"\nselector = \"li\"\nfields = [\"text:\"]\n");
  {
    RunningDaemon daemon(project_, 1);
    expect({"trigger", "pages"}, 0, "pages: starting");
    ASSERT_TRUE(eventually([&] { return pages_done() >= 3; })) << daemon.log();
    expect({"trigger", "other"}, 0, "other: scheduled; its run waits for a free run slot");
    daemon.signal(SIGKILL);
    daemon.wait();
  }
  const RunningDaemon daemon(project_, 1);
  expect({"show", "other"}, 0, "for a free run slot (limits.runs_in_parallel), since 20");
  EXPECT_EQ(project_.heddle_json({"show", "other"}).at("waiting").at("trigger"), "manual");
  expect({"cancel", "pages"}, 0, "pages: scheduled");
  ASSERT_TRUE(eventually([&] {
    return count("SELECT count(*) FROM runs WHERE state = 'completed'") == 1;
  })) << daemon.log();
}

TEST_F(JobStatusTest, StaysStoppedUntilTheJobIsStarted) {
  pause_ = 5ms;
  write_job(300, "interval = \"1s\"\n");
  const RunningDaemon daemon(project_, 1);
  ASSERT_TRUE(eventually([&] { return pages_done() >= 3; })) << daemon.log();
  expect({"stop", "pages", "--now"}, 0, "pages: stopping");
  ASSERT_TRUE(reaches_state("stopped"));
  EXPECT_EQ(count("SELECT count(*) FROM runs WHERE state = 'stopped'"), 1);
  expect({"trigger", "pages"}, 1,
         "is stopped: cannot trigger it now; allowed: archive, start, delete");
  expect({"start", "pages"}, 0, "pages: ");
  ASSERT_TRUE(eventually([&] { return count("SELECT count(*) FROM runs") == 2; })) << daemon.log();
}

TEST_F(JobStatusTest, KeepsTheScheduleAfterACancelledRun) {
  pause_ = 5ms;
  write_job(300, "interval = \"365d\"\n");
  const RunningDaemon daemon(project_, 1);
  ASSERT_TRUE(eventually([&] { return pages_done() >= 3; })) << daemon.log();
  expect({"cancel", "pages"}, 0, "pages: scheduled");
  ASSERT_TRUE(eventually([&] { return unfinished_runs() == 0; }));
  EXPECT_EQ(count("SELECT count(*) FROM runs WHERE state = 'cancelled'"), 1);
  expect({"show", "pages"}, 0, "0 of 0 succeeded, 1 ended early");
}

TEST_F(JobStatusTest, CountsACancelledPausedRun) {
  pause_ = 5ms;
  write_job(300, "interval = \"365d\"\n");
  const RunningDaemon daemon(project_, 1);
  ASSERT_TRUE(eventually([&] { return pages_done() >= 3; })) << daemon.log();
  expect({"pause", "pages"}, 0, "pages: paused");
  ASSERT_TRUE(
      eventually([&] { return count("SELECT count(*) FROM runs WHERE state = 'paused'") == 1; }));
  expect({"cancel", "pages"}, 0, "pages: scheduled");
  expect({"metrics"}, 0, "heddle_runs_total{state=\"cancelled\"} 1\n");
}

TEST_F(JobStatusTest, CancelsByRunId) {
  pause_ = 5ms;
  write_job(300, "interval = \"365d\"\n");
  const RunningDaemon daemon(project_, 1);
  ASSERT_TRUE(eventually([&] { return pages_done() >= 3; })) << daemon.log();
  const auto shown = project_.heddle_json({"show", "pages"});
  const std::string run(shown.at("current_run").at("run_id").as_string());
  expect({"pause", run}, 1, "there is no job '" + run + "'");
  expect({"cancel", run}, 0, "pages: scheduled");
  ASSERT_TRUE(eventually([&] { return unfinished_runs() == 0; }));
  expect({"cancel", run}, 1, "run " + run + " of job 'pages' has ended: cancelled at 20");
  expect({"cancel", "nobody"}, 1, "there is no job or unfinished run 'nobody'");
}

TEST_F(JobStatusTest, RejectsJobNamesTogetherWithAll) {
  write_job(1, "schedule = \"manual\"\n");
  expect({"stop", "--all", "pages"}, 2, "give either names or --all, not both");
}

TEST_F(JobStatusTest, PausesAllJobsWhenSomeArePausedAlready) {
  write_job(1, "schedule = \"manual\"\n");
  project_.write_job("other", "schedule = \"manual\"\nurl = \"" + site_.url("/page") +
                                  "\"\nselector = \"li\"\nfields = [\"text:\"]\n");
  project_.write_job("disabled", "enabled = false\nurl = \"" + site_.url("/page") +
                                     "\"\nselector = \"li\"\nfields = [\"text:\"]\n");
  expect({"pause", "--all"}, 1,
         "is created: cannot pause it now");  // it would start with `up`
  const RunningDaemon daemon(project_, 1);
  expect({"pause", "pages"}, 0, "pages: paused");
  expect({"pause", "--all"}, 0, "other: paused");
  expect({"pause", "--all"}, 0,
         "no job was changed: all are already paused, stopped, archived or disabled");
  expect({"stop", "other"}, 0, "other: stopped");
  expect({"stop", "--all"}, 0, "pages: stopped");
  EXPECT_EQ(project_.heddle_json({"stop", "--all"}).as_array().size(), 0u);
}

TEST_F(JobStatusTest, AcceptsAnActionThatIsInEffectAlready) {
  write_job(1, "schedule = \"manual\"\n");
  const auto expect_idempotent = [this] {
    for (const auto& [action, state] : {std::pair{"pause", "paused"},
                                        {"resume", "scheduled"},
                                        {"stop", "stopped"},
                                        {"archive", "archived"},
                                        {"start", ""}}) {
      expect({action, "pages"}, 0, state);
      expect({action, "pages"}, 0, "; nothing to do");
    }
  };
  {
    const RunningDaemon daemon(project_, 1);
    expect_idempotent();
    expect({"cancel", "pages"}, 1, "cannot cancel it now");
    ASSERT_TRUE(reaches_state("scheduled"));
  }
  expect_idempotent();
}

TEST_F(JobStatusTest, SelectsJobsByTagGroupStateOrAll) {
  write_job(1, "tags = [\"x\"]\n");
  project_.write_job(
      "other", "url = \"" + site_.url("/page") + "\"\nselector = \"li\"\nfields = [\"text:\"]\n");
  const RunningDaemon daemon(project_, 1);
  expect({"pause", "--tag", "x"}, 0, "pages: paused");
  EXPECT_EQ(state("other"), "scheduled");
  expect({"pause", "--all"}, 0, "other: paused");  // the first is paused already
  expect({"resume", "--state", "paused"}, 0, "other: scheduled");
  expect({"pause"}, 2, "no jobs selected");
  expect({"jobs", "--state", "nonsense"}, 2, "nonsense");
  expect({"pause", "nobody"}, 1, "there is no job 'nobody'");
}

TEST_F(JobStatusTest, CanBeChangedWithoutADaemon) {
  write_job(3, "interval = \"365d\"\n");
  expect({"pause", "pages"}, 1, "is created: cannot pause it now");
  expect({"trigger", "pages"}, 0, "pages: starting");
  expect({"jobs"}, 0, "starting");
  const RunningDaemon daemon(project_, 1);
  ASSERT_TRUE(reaches_state("scheduled")) << daemon.log();
  EXPECT_EQ(pages_done(), 3);
}

TEST_F(JobStatusTest, RejectsARunWhileTheJobIsPaused) {
  write_job(3);
  EXPECT_EQ(project_.heddle({"run", "pages"}).exit_code, 0);
  expect({"pause", "pages"}, 0, "pages: paused");
  expect({"run", "pages"}, 1, "is paused (user): cannot trigger it now");
}

TEST_F(JobStatusTest, FollowsChangedJobFiles) {
  write_job(1);
  const RunningDaemon daemon(project_, 1);
  project_.write_job("new", "url = \"" + site_.url("/page") +
                                "\"\nselector = \"li\"\nfields = [\"text:\"]\ninterval = \"1s\"\n");
  ASSERT_TRUE(eventually([&] { return runs() >= 1; })) << daemon.log();
  std::filesystem::remove_all(project_.path() / "jobs" / "new");
  ASSERT_TRUE(eventually([&] {
    return project_.heddle({"show", "new"}).out.find("paused (missing)") != std::string::npos;
  })) << daemon.log();
  expect({"resume", "new"}, 1, "is missing from the configuration");
}

TEST_F(JobStatusTest, KeepsThePreviousVersionWhileTheFileIsInvalid) {
  write_job(2, "interval = \"1s\"\n");
  const RunningDaemon daemon(project_, 1);
  ASSERT_TRUE(eventually([&] { return runs() >= 1; })) << daemon.log();
  project_.write("jobs/pages/config.toml", "name = \n");
  ASSERT_TRUE(daemon.logs("keeps its previous version"));
  const auto before = runs();
  ASSERT_TRUE(eventually([&] { return runs() >= before + 2; })) << daemon.log();
  EXPECT_EQ(count("SELECT count(*) FROM runs WHERE state = 'failed'"), 0);
}

TEST_F(JobStatusTest, ReloadsJobsOnRequest) {
  project_.write("heddle.toml",
                 "reload = \"manual\"\n[network]\nallow = [\"127.0.0.1\"]\n"
                 "[defaults]\nschedule = \"manual\"\n");
  write_job(1);
  const RunningDaemon daemon(project_, 1);
  expect({"reload"}, 0, "no job has changed");
  write_job(2);
  project_.write_job(
      "new", "url = \"" + site_.url("/page") + "\"\nselector = \"li\"\nfields = [\"text:\"]\n");
  expect({"reload", "--dry-run"}, 0, "new:     new");
  expect({"reload", "--json"}, 0, R"("changed":["pages"])");
  expect({"reload"}, 0, "no job has changed");
  project_.write("heddle.toml", "reload = \"manual\"\n[network]\n");
  expect({"reload"}, 0, "setting: network.allow");
  project_.write("jobs/new/config.toml", "name = \n");
  expect({"reload"}, 1, "keeps its previous version");
}

TEST_F(JobStatusTest, NeedsADaemonToReload) {
  write_job(1);
  expect({"reload"}, 3, "no daemon is running");
}

}  // namespace
}  // namespace heddle::testing
