// Reloading heddle.toml in a running daemon.
#include <csignal>

#include "tests/daemon/settings_fixture.hpp"

namespace heddle::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;

class ChangedSettings : public SettingsFixture {};

TEST_F(ChangedSettings, ApplyFromTheNextPageOfAnActiveRun) {
  pause_ = 20ms;
  write_job(150);
  const RunningDaemon daemon(project_, 2);
  const auto run = start_run(daemon, 150);
  change_settings(with_agent("new-agent"));
  ASSERT_TRUE(receives_requests_from("new-agent")) << daemon.log();
  expect_all_pages_once(*run, daemon);
  expect_no_page_requested_twice();
  const auto seen = agents();
  const auto first = std::find(seen.begin(), seen.end(), "new-agent");
  EXPECT_EQ(std::count(first, seen.end(), "new-agent"), seen.end() - first)
      << "nobody asks by the former settings afterwards";
  EXPECT_TRUE(daemon.logs("network.user_agent: heddle and its version -> \"new-agent\""))
      << daemon.log();
}

// The site sends large pages to the new user agent: a worker with the new name but the old limit
// would fail.
TEST_F(ChangedSettings, ApplyTogether) {
  site_.handle("/page", [this](const SiteRequest& request) {
    std::this_thread::sleep_for(pause_.load());
    std::string body = "<li>" + request.query + "</li>";
    if (request.header("user-agent") == "large") body += std::string(100'000, ' ');
    return html(body);
  });
  pause_ = 20ms;
  change_settings(settings({.more = "[limits]\nbody = \"20KB\"\n"}));
  write_job(150);
  const RunningDaemon daemon(project_, 2);
  const auto run = start_run(daemon, 150);
  change_settings(
      settings({.network = "user_agent = \"large\"\n", .more = "[limits]\nbody = \"1MB\"\n"}));
  ASSERT_TRUE(receives_requests_from("large")) << daemon.log();
  expect_all_pages_once(*run, daemon);
  expect_no_page_requested_twice();
}

TEST_F(ChangedSettings, ReachTheScriptsOfAnActiveRun) {
  pause_ = 20ms;
  change_settings(settings({.more = "[script]\nmemory = \"4MB\"\n"}));
  write_job(150);
  project_.write("jobs/pages/hooks.lua",
                 "function before_fetch(request, ctx)\n"
                 "  local fits = pcall(string.rep, \"x\", 8000000)\n"
                 "  request.headers[\"X-Fits\"] = tostring(fits)\n"
                 "  return request\n"
                 "end\n");
  const RunningDaemon daemon(project_, 2);
  const auto run = start_run(daemon, 150);
  EXPECT_EQ(site_.requests("/page").front().header("x-fits"), "false");
  change_settings(settings({.more = "[script]\nmemory = \"64MB\"\n"}));
  EXPECT_TRUE(eventually([&] { return site_.requests("/page").back().header("x-fits") == "true"; }))
      << daemon.log();
  pause_ = 0ms;
  expect_all_pages_once(*run, daemon);
  expect_no_page_requested_twice();
}

TEST_F(ChangedSettings, OfTheHostGateApplyImmediatelyWithoutReplacingWorkers) {
  const std::string slow = "[hosts.\"127.0.0.1\"]\ndelay = \"10m\"\n";
  change_settings(settings({.more = slow}));
  write_job(5);
  const RunningDaemon daemon(project_, 2);
  const auto workers = daemon.workers();
  pages_ = 5;
  RunningHeddle run(project_.path(), {"run", "pages", "--json"});
  ASSERT_TRUE(eventually([&] { return pages_done() == 1; })) << daemon.log();
  change_settings(settings());
  expect_all_pages_once(run, daemon);
  EXPECT_EQ(daemon.workers(), workers);
}

TEST_F(ChangedSettings, InABurstApplyTheLastVersion) {
  pause_ = 300ms;  // pages remain when the last change is applied
  write_job(200);
  const RunningDaemon daemon(project_, 2);
  const auto run = start_run(daemon, 200);
  for (int i = 0; i < 6; ++i) {
    change_settings(with_agent("agent-" + std::to_string(i)));
    expect({"reload"}, 0, "");
  }
  change_settings(with_agent("last"));
  ASSERT_TRUE(receives_requests_from("last")) << daemon.log();
  pause_ = 1ms;
  expect_all_pages_once(*run, daemon);
  expect_no_page_requested_twice();
  EXPECT_EQ(agents().back(), "last");
}

TEST_F(ChangedSettings, ApplyWhenEveryWorkerIsKilledMeanwhile) {
  pause_ = 20ms;
  const std::string forgiving =
      "[recovery]\nbackoff = \"0s\"\nmax_restarts = 1000\npoison_limit = 100\n";
  change_settings(settings({.more = forgiving}));
  write_job(150);
  const RunningDaemon daemon(project_, 2);
  const auto run = start_run(daemon, 150);
  change_settings(settings({.network = "user_agent = \"new-agent\"\n", .more = forgiving}));
  ASSERT_TRUE(daemon.logs("network.user_agent")) << daemon.log();
  for (int i = 0; i < 3; ++i) {
    const std::vector<pid_t> children = daemon.children();
    for (const pid_t child : children) kill(child, SIGKILL);
    ASSERT_TRUE(exit_within(children, 10s));
  }
  expect_all_pages_once(*run, daemon);
  EXPECT_EQ(agents().back(), "new-agent");
}

TEST_F(ChangedSettings, WithErrorsChangeNothing) {
  pause_ = 20ms;
  write_job(100);
  const RunningDaemon daemon(project_, 1);
  const auto workers = daemon.workers();
  const auto run = start_run(daemon, 100);
  change_settings("[network]\nallow = [\"127.0.0.1\"]\nuser_agent = 5\n");
  project_.write_job("second", "url = \"" + site_.url("/page") + "\"\n");
  ASSERT_TRUE(daemon.logs("the changed files were not applied: heddle.toml:3")) << daemon.log();
  expect({"reload"}, 1, "heddle.toml:3: network.user_agent");
  expect_all_pages_once(*run, daemon);
  EXPECT_EQ(daemon.workers(), workers);
  change_settings(with_agent("mended"));
  EXPECT_TRUE(daemon.logs("\"mended\"")) << daemon.log();
}

TEST_F(ChangedSettings, ThatInvalidateAJobChangeNothing) {
  const std::string group = "[groups.shops]\ntimeout = \"9s\"\n";
  change_settings(settings({.more = group}));
  write_job(1, "group = \"shops\"\n");
  const RunningDaemon daemon(project_, 1);
  const auto workers = daemon.workers();
  change_settings(with_agent("new-agent"));
  ASSERT_TRUE(daemon.logs("there is no [groups.shops] in heddle.toml")) << daemon.log();
  EXPECT_TRUE(daemon.logs("caused by the changed heddle.toml")) << daemon.log();
  EXPECT_EQ(daemon.workers(), workers);
}

TEST_F(ChangedSettings, ThatNeedARestartApplyAtTheNextStart) {
  pause_ = 20ms;
  write_job(150);
  RunningDaemon daemon(project_, 1);
  const auto run = start_run(daemon, 150);
  change_settings(
      settings({.top = "data_dir = \"elsewhere\"\n", .network = "user_agent = \"new-agent\"\n"}));
  ASSERT_TRUE(daemon.logs("data_dir = \"elsewhere\" takes effect at the daemon's next start"))
      << daemon.log();
  EXPECT_TRUE(receives_requests_from("new-agent")) << "all else is taken up";
  expect_all_pages_once(*run, daemon);
  daemon.signal(SIGTERM);
  EXPECT_EQ(daemon.wait().exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(project_.path() / "elsewhere"));
}

TEST_F(ChangedSettings, ChangeTheNumberOfWorkers) {
  const auto processes = [](int count) {
    return settings({.more = "[daemon]\nprocesses = " + std::to_string(count) + "\n"});
  };
  change_settings(processes(1));
  write_job(1);
  const RunningDaemon daemon(project_, 0);
  ASSERT_TRUE(eventually([&] { return daemon.workers().size() == 1; })) << daemon.log();
  const pid_t first = daemon.workers().front();
  change_settings(processes(3));
  ASSERT_TRUE(eventually([&] { return daemon.workers().size() == 3; })) << daemon.log();
  EXPECT_EQ(daemon.workers().front(), first);
  expect({"workers", "restart", "3"}, 0, "worker 3 is being replaced");
  change_settings(processes(1));
  ASSERT_TRUE(eventually([&] { return daemon.workers().size() == 1; })) << daemon.log();
  EXPECT_EQ(daemon.workers().front(), first);
  expect({"run", "pages"}, 0, "");
}

TEST_F(ChangedSettings, AreShownByADryRun) {
  const std::string manual = "reload = \"manual\"\n";
  change_settings(settings({.top = manual}));
  write_job(1);
  const RunningDaemon daemon(project_, 1);
  const auto workers = daemon.workers();
  expect({"reload", "--dry-run"}, 0, "no job has changed");
  change_settings(settings({.top = manual + "data_dir = \"elsewhere\"\n"}));
  std::filesystem::create_directory_symlink("data", project_.path() / "elsewhere");
  expect(
      {"reload", "--dry-run"}, 0,
      "heddle.toml: data_dir: \"data\" -> \"elsewhere\" takes effect at the daemon's next start");
  change_settings(settings({.top = manual, .more = "[limits]\nbody = \"1MB\"\n"}));
  expect({"reload", "--dry-run"}, 0, "setting: limits.body: \"10MB\" -> \"1MB\"");
  const ProgramResult json =
      expect({"reload", "--dry-run", "--json"}, 0, "\"changed\":[\"pages\"]");
  EXPECT_THAT(json.out, HasSubstr(R"({"key":"limits.body","before":"\"10MB\"","after":"\"1MB\"",)"
                                  R"("at_next_start":false})"));
  EXPECT_EQ(daemon.workers(), workers) << "nothing has happened yet";
  expect({"reload"}, 0, "setting: limits.body");
  EXPECT_TRUE(eventually([&] { return daemon.workers() != workers; }));
  expect({"reload", "--dry-run"}, 0, "no job has changed");
}

TEST_F(ChangedSettings, DecideWhetherFilesAreWatched) {
  change_settings(settings({.top = "reload = \"manual\"\n"}));
  write_job(1);
  const RunningDaemon daemon(project_, 1);
  change_settings(settings());
  expect({"reload"}, 0, "setting: reload: \"manual\" -> \"watch\"");
  change_settings(settings({.top = "reload = \"manual\"\n"}));
  ASSERT_TRUE(daemon.logs("reload: \"watch\" -> \"manual\"")) << "it was watched";
  write_job(2);
  expect({"reload", "--dry-run"}, 0, "changed: pages");
}

TEST_F(ChangedSettings, DecideHowManyRunsAreConcurrent) {
  const auto in_parallel = [](int count) {
    return settings({.more = "[limits]\nruns_in_parallel = " + std::to_string(count) + "\n"});
  };
  change_settings(in_parallel(1));
  for (const char* job : {"first", "second"}) {
    site_.answer(std::string("/") + job, html("<li>x</li>"));
    site_.hold(std::string("/") + job);
    project_.write_job(job, "url = \"" + site_.url(std::string("/") + job) +
                                "\"\nselector = \"li\"\nfields = [\"text:\"]\n");
  }
  const RunningDaemon daemon(project_, 2);
  expect({"trigger", "first"}, 0, "first");
  ASSERT_TRUE(site_.wait_for_requests("/first", 1));
  expect({"trigger", "second"}, 0, "second: scheduled");
  expect({"status"}, 0, "1 run in progress");
  EXPECT_EQ(site_.count("/second"), 0U);
  change_settings(in_parallel(2));
  EXPECT_TRUE(site_.wait_for_requests("/second", 1)) << daemon.log();
  site_.release("/first");
  site_.release("/second");
}

TEST_F(ChangedSettings, DecideWhatIsLogged) {
  change_settings(settings({.more = "[log]\nlevel = \"warning\"\n"}));
  write_job(1);
  const RunningDaemon daemon(project_, 1);
  EXPECT_THAT(daemon.log(), Not(HasSubstr("started: 1 worker")));
  change_settings(settings());
  EXPECT_TRUE(daemon.logs("log.level: \"warning\" -> \"info\"")) << daemon.log();
}

TEST_F(ChangedSettings, KeepTheirSecretsOutOfTheLog) {
  write_job(1);
  const RunningDaemon daemon(project_, 1);
  change_settings(settings({.more = "[hosts.\"a.example\".headers]\nX-Api-Key = \"hunter22\"\n"}));
  ASSERT_TRUE(daemon.logs("hosts.a.example.headers")) << daemon.log();
  EXPECT_THAT(daemon.log(), Not(HasSubstr("hunter22")));
}

class QuietOption : public SettingsFixture {
 protected:
  std::string log_of(std::vector<std::string> options) {
    write_job(1);
    project_.write_job("broken", "interval = 5\n");
    options.insert(options.begin(), {"up", "--processes", "1"});
    RunningHeddle daemon(project_.path(), std::move(options));
    EXPECT_TRUE(eventually([&] { return project_.heddle({"status"}).exit_code == 0; }));
    daemon.signal(SIGTERM);
    return daemon.wait().err;
  }
};

TEST_F(QuietOption, IsOffByDefault) {
  const std::string log = log_of({});
  EXPECT_THAT(log, HasSubstr("started: 1 worker"));
  EXPECT_THAT(log, HasSubstr("warning: 1 job has errors"));
}

TEST_F(QuietOption, KeepsWarningsAndErrors) {
  const std::string log = log_of({"-q"});
  EXPECT_THAT(log, Not(HasSubstr("started: 1 worker")));
  EXPECT_THAT(log, HasSubstr("warning: 1 job has errors"));
}

TEST_F(QuietOption, GivenTwiceKeepsErrors) {
  EXPECT_EQ(log_of({"-qq"}), "");
}

}  // namespace
}  // namespace heddle::testing
