// Recovery of runs that the previous daemon did not finish.
#include <csignal>

#include "tests/daemon/daemon_fixture.hpp"

namespace heddle::testing {
namespace {

using ::testing::HasSubstr;
using namespace std::chrono_literals;

class StartupRecoveryTest : public DaemonFixture {};

TEST_F(StartupRecoveryTest, ResumesRunsThatWereInterruptedByAShutdown) {
  constexpr int kPages = 40;
  pause_ = std::chrono::milliseconds(20);
  write_job(kPages);
  {
    RunningDaemon daemon(project_, 1);
    RunningHeddle follower(project_.path(), {"run", "pages"});
    ASSERT_TRUE(eventually([&] { return pages_done() >= 3; })) << daemon.log();
    daemon.signal(SIGTERM);
    EXPECT_EQ(daemon.wait().exit_code, 0) << daemon.log();
    EXPECT_THAT(follower.wait().err, HasSubstr("the next one resumes this run"));
  }
  EXPECT_EQ(unfinished_runs(), 1);
  EXPECT_LT(pages_done(), kPages);
  RunningDaemon next(project_, 1);
  EXPECT_TRUE(next.logs("resuming run")) << next.log();
  ASSERT_TRUE(eventually([&] { return unfinished_runs() == 0; })) << next.log();
  EXPECT_EQ(count("SELECT count(*) FROM runs"), 1);
  EXPECT_EQ(count("SELECT count(*) FROM runs WHERE state = 'completed'"), 1);
  // Pages in flight finished before the shutdown: none was fetched twice.
  EXPECT_EQ(site_.count("/page"), static_cast<std::size_t>(kPages));
}

TEST_F(StartupRecoveryTest, KeepsTheRunOfAnInvalidJobUntilItIsFixed) {
  pause_ = 20ms;
  write_job(40);
  {
    RunningDaemon daemon(project_, 1);
    const RunningHeddle follower(project_.path(), {"run", "pages"});
    ASSERT_TRUE(eventually([&] { return pages_done() > 0; })) << daemon.log();
    daemon.signal(SIGKILL);
    daemon.wait();
  }
  const std::string config = read_file(project_.path() / "jobs/pages/config.toml");
  project_.write("jobs/pages/config.toml", config + "\noops = [\n");
  {
    RunningDaemon daemon(project_, 1);
    EXPECT_TRUE(daemon.logs("errors")) << daemon.log();
    daemon.signal(SIGTERM);
    daemon.wait();
  }
  EXPECT_EQ(unfinished_runs(), 1);
  project_.write("jobs/pages/config.toml", config);
  const RunningDaemon daemon(project_, 1);
  EXPECT_TRUE(eventually([&] { return unfinished_runs() == 0; })) << daemon.log();
  EXPECT_EQ(pages_done(), 40);
}

TEST_F(StartupRecoveryTest, SaysWhyARunFailedThatALaterRunReplaced) {
  pause_ = 20ms;
  write_job(40);
  {
    RunningDaemon daemon(project_, 1);
    const RunningHeddle follower(project_.path(), {"run", "pages"});
    ASSERT_TRUE(eventually([&] { return pages_done() > 0; })) << daemon.log();
    daemon.signal(SIGKILL);
    daemon.wait();
  }
  const auto replacing = project_.heddle({"run", "pages"});
  EXPECT_EQ(replacing.exit_code, 0) << replacing.err;
  EXPECT_THAT(replacing.err, HasSubstr("1 earlier run of this job had not finished: it was ended"));
  const auto runs = project_.heddle_json({"runs", "pages"});
  EXPECT_EQ(runs.at(1).at("state"), "failed");
  const std::string reason =
      "heddle was stopped before this run had ended, and a later run "
      "replaced it";
  const std::string id(runs.at(1).at("run_id").as_string());
  EXPECT_THAT(project_.heddle({"run-trace", id}).out, HasSubstr("interrupted  " + reason));
  EXPECT_THAT(project_.heddle({"logs", "pages"}).out,
              HasSubstr("run " + id + " failed: " + reason));
}

}  // namespace
}  // namespace heddle::testing
